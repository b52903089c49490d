/// Recommend a book.
fn recommend(genre: &str, count: u8) -> String {
    format!("Recommend {count} books: {genre}.")
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
enum recommend {}
#[allow(deprecated, unused_mut, unused_variables, clippy::pedantic)]
const _: () = {
    use ::mcp_runtime::__private as __p;
    type __Ret = String;
    const __RETURN: __p::Kind = __p::return_kind!(__Ret);
    type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
    const __FIT: bool = __p::is!(MESSAGES __Value);
    type __Slots = (__p::parsed!(::std::string::String), __p::parsed!(u8));
    fn __handler<'a>(__call: &'a __p::Call<'a>) -> __p::BoxFuture<'a, __p::Outcome> {
        ::std::boxed::Box::pin(
            __p::run(
                __call,
                async move {
                    let mut __slots: __Slots = __call.strings()?;
                    __p::TextSlots::inject(&mut __slots, __call.context()).await?;
                    __slots.1.or(|| 3);
                    let __genre = __slots.0.take()?;
                    let __count = __slots.1.take()?;
                    let __ret: __Ret = {
                        static __LOAD: __p::Load = __p::Load::adaptive();
                        __p::offload(&__LOAD, move || recommend(&__genre, __count)).await
                    };
                    __p::messages::<__Ret, __RETURN, __FIT>(__call, __ret)
                },
            ),
        )
    }
    const _: () = {
        __p::takes_text::<u8, { __p::text_kind!(u8) }>();
        __p::sent::<u8, { __p::text_kind!(u8) }>();
        __p::sayable::<String, __RETURN>();
    };
    static __DEF: __p::PromptDef = __p::PromptDef::new(
            "recommend",
            ::core::file!(),
            ::core::line!(),
            __handler,
        )
        .title("Recommend")
        .description("Recommend a book.")
        .params(
            &[
                __p::text_param::<
                    __p::parsed!(::std::string::String),
                >("genre", "What kind"),
                __p::text_param::<__p::parsed!(u8)>("count", "")
                    .default(::core::option::Option::Some(__p::Literal::Int(3))),
            ],
        );
    impl __p::Companion<__p::PromptDef> for recommend {
        const DEF: &'static __p::PromptDef = &__DEF;
    }
    __p::inventory::submit! {
        __p::Registered::Prompt(& __DEF)
    }
};
