/// Reserve copies of a book.
async fn reserve(
    title: &str,
    quantity: Answer<Quantity>,
    shelf: State<Shelf>,
    ctx: Context,
) -> Result<String> {
    shelf.reserve(&ctx, title, quantity)
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
enum reserve {}
#[allow(deprecated, unused_mut, unused_variables, clippy::pedantic)]
const _: () = {
    use ::mcp_runtime::__private as __p;
    type __Ret = Result<String>;
    const __RETURN: __p::Kind = __p::return_kind!(__Ret);
    type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
    const __REPLY: __p::Kind = __p::reply_kind!(__Value);
    type __Slots<'a> = (
        __p::TextSlot<'a>,
        __p::slot!(State < Shelf >),
        __p::slot!(Context),
    );
    struct __Args<'s, 'a>(&'s __Slots<'a>);
    __p::arg!(< 'a > __Args < '_, 'a >, "title", 0, __p::TextSlot < 'a >);
    __p::arg!(< 'a > __Args < '_, 'a >, "shelf", 1, __p::slot!(State < Shelf >));
    __p::arg!(< 'a > __Args < '_, 'a >, "ctx", 2, __p::slot!(Context));
    fn __handler<'a>(__call: &'a __p::Call<'a>) -> __p::BoxFuture<'a, __p::Outcome> {
        ::std::boxed::Box::pin(
            __p::run(
                __call,
                async move {
                    let mut __slots: __Slots<'a> = __call.arguments()?;
                    __p::InjectAll::inject(&mut __slots, __call.context()).await?;
                    let __args = __Args(&__slots);
                    let __scope = __p::Scope::new(__call, &__args);
                    let (__quantity,) = __p::join!(
                        __p::get!(__scope, ask_quantity, __Args < 'static, 'static >,
                        Answer < Quantity >)
                    );
                    let (__quantity,) = (__quantity?,);
                    let __title = __slots.0.take()?;
                    let __shelf = __slots.1.take()?;
                    let __ctx = __slots.2.take()?;
                    let __ret: __Ret = reserve(&__title, __quantity, __shelf, __ctx)
                        .await;
                    __p::reply::<__Ret, __RETURN, __REPLY>(__call, __ret)
                },
            ),
        )
    }
    const _: () = {
        __p::takes::<State<Shelf>, { __p::argument_kind!(State < Shelf >) }>();
        __p::takes::<Context, { __p::argument_kind!(Context) }>();
        __p::resolves::<__Args<'static, 'static>, ask_quantity, Answer<Quantity>>();
        __p::sendable::<Result<String>, __RETURN, __REPLY>();
    };
    static __DEF: __p::ToolDef = __p::ToolDef::new(
            "reserve",
            ::core::file!(),
            ::core::line!(),
            __handler,
            <__Value as __p::Reply<__REPLY>>::schema,
        )
        .description("Reserve copies of a book.")
        .params(
            &[
                __p::param::<__p::TextSlot<'static>>("title", "Title of the book"),
                __p::param::<__p::slot!(State < Shelf >)>("shelf", ""),
                __p::param::<__p::slot!(Context)>("ctx", ""),
            ],
        )
        .resolvers(&[__p::resolver!(ask_quantity)]);
    impl __p::Companion<__p::ToolDef> for reserve {
        const DEF: &'static __p::ToolDef = &__DEF;
    }
    __p::inventory::submit! {
        __p::Registered::Tool(& __DEF)
    }
};
