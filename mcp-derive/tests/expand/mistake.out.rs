fn broken(title: String) -> String {
    title
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
enum broken {}
::core::compile_error! {
    "`range` takes bounds: `range(min = 1, max = 10)`"
}
::core::compile_error! {
    "unknown key `readonly` on #[tool]; expected one of `name`, `title`, `description`, `ttl`, `scope`, `scopes`, `timeout`, `toolset`, `icons`, `meta`, `visible_if`, `read_only`, `destructive`, `idempotent`, `open_world`, `structured`, `strict`, `task`, `blocking`, `inline`; did you mean `read_only`?"
}
