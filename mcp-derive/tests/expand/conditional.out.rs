#[cfg(unix)]
async fn uid() -> u32 {
    0
}
#[cfg(unix)]
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
enum uid {}
#[cfg(unix)]
#[allow(deprecated, unused_mut, unused_variables, clippy::pedantic)]
const _: () = {
    use ::mcp_runtime::__private as __p;
    type __Ret = u32;
    const __RETURN: __p::Kind = __p::return_kind!(__Ret);
    type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
    const __REPLY: __p::Kind = __p::reply_kind!(__Value);
    type __Slots = ();
    fn __handler<'a>(__call: &'a __p::Call<'a>) -> __p::BoxFuture<'a, __p::Outcome> {
        ::std::boxed::Box::pin(
            __p::run(
                __call,
                async move {
                    let mut __slots: __Slots = __call.arguments()?;
                    __p::InjectAll::inject(&mut __slots, __call.context()).await?;
                    let __ret: __Ret = uid().await;
                    __p::reply::<__Ret, __RETURN, __REPLY>(__call, __ret)
                },
            ),
        )
    }
    const _: () = {
        __p::sendable::<u32, __RETURN, __REPLY>();
    };
    static __DEF: __p::ToolDef = __p::ToolDef::new(
        "uid",
        ::core::file!(),
        ::core::line!(),
        __handler,
        <__Value as __p::Reply<__REPLY>>::schema,
    );
    impl __p::Companion<__p::ToolDef> for uid {
        const DEF: &'static __p::ToolDef = &__DEF;
    }
    __p::inventory::submit! {
        __p::Registered::Tool(& __DEF)
    }
};
