/// Find books.
fn find(query: &str, limit: u32, region: Option<&str>) -> Vec<Book> {
    search(query, limit, region)
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
enum find {}
#[allow(deprecated, unused_mut, unused_variables, clippy::pedantic)]
const _: () = {
    use ::mcp_runtime::__private as __p;
    type __Ret = Vec<Book>;
    const __RETURN: __p::Kind = __p::return_kind!(__Ret);
    type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
    const __REPLY: __p::Kind = __p::reply_kind!(__Value);
    type __Slots = (
        __p::slot!(::std::string::String),
        __p::slot!(u32),
        __p::slot!(::core::option::Option < ::std::string::String >),
    );
    fn __handler<'a>(__call: &'a __p::Call<'a>) -> __p::BoxFuture<'a, __p::Outcome> {
        ::std::boxed::Box::pin(
            __p::run(
                __call,
                async move {
                    let mut __slots: __Slots = __call.arguments()?;
                    __p::InjectAll::inject(&mut __slots, __call.context()).await?;
                    __slots.1.or(|| 10);
                    let __query = __slots.0.take()?;
                    let __limit = __slots.1.take()?;
                    let __region = __slots.2.take()?;
                    let __ret: __Ret = {
                        static __LOAD: __p::Load = __p::Load::inline();
                        __p::offload(
                                &__LOAD,
                                move || find(&__query, __limit, __region.as_deref()),
                            )
                            .await
                    };
                    __p::reply::<__Ret, __RETURN, __REPLY>(__call, __ret)
                },
            ),
        )
    }
    const _: () = {
        __p::takes::<u32, { __p::argument_kind!(u32) }>();
        __p::sent::<u32, { __p::argument_kind!(u32) }>();
        __p::sendable::<Vec<Book>, __RETURN, __REPLY>();
    };
    static __DEF: __p::ToolDef = __p::ToolDef::new(
            "find",
            ::core::file!(),
            ::core::line!(),
            __handler,
            <__Value as __p::Reply<__REPLY>>::schema,
        )
        .description("Find books.")
        .ttl(::core::time::Duration::from_millis(300000u64))
        .scope(__p::CacheScope::Public)
        .params(
            &[
                __p::param::<
                    __p::slot!(::std::string::String),
                >("query", "What to look for"),
                __p::param::<__p::slot!(u32)>("limit", "")
                    .default(::core::option::Option::Some(__p::Literal::Int(10)))
                    .range(
                        ::core::option::Option::Some(__p::Literal::Int(1)),
                        ::core::option::Option::Some(__p::Literal::Int(100)),
                    ),
                __p::param::<
                    __p::slot!(::core::option::Option < ::std::string::String >),
                >("type", "")
                    .header("Region"),
            ],
        )
        .read_only(true);
    impl __p::Companion<__p::ToolDef> for find {
        const DEF: &'static __p::ToolDef = &__DEF;
    }
    __p::inventory::submit! {
        __p::Registered::Tool(& __DEF)
    }
};
