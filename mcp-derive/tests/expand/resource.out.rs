/// How many copies of one book are on the shelf.
async fn stock(title: String, shelf: State<Shelf>) -> Result<String> {
    shelf.count(&title)
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
enum stock {}
#[allow(deprecated, unused_mut, unused_variables, clippy::pedantic)]
const _: () = {
    use ::mcp_runtime::__private as __p;
    type __Ret = Result<String>;
    const __RETURN: __p::Kind = __p::return_kind!(__Ret);
    type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
    const __FIT: bool = __p::is!(CONTENTS __Value);
    type __Slots = (__p::parsed!(String), __p::parsed!(State < Shelf >));
    fn __handler<'a>(__call: &'a __p::Call<'a>) -> __p::BoxFuture<'a, __p::Outcome> {
        ::std::boxed::Box::pin(
            __p::run(
                __call,
                async move {
                    let mut __slots: __Slots = __call.strings()?;
                    __p::TextSlots::inject(&mut __slots, __call.context()).await?;
                    let __title = __slots.0.take()?;
                    let __shelf = __slots.1.take()?;
                    let __ret: __Ret = stock(__title, __shelf).await;
                    __p::contents::<__Ret, __RETURN, __FIT>(__call, __ret)
                },
            ),
        )
    }
    const _: () = {
        __p::takes_text::<String, { __p::text_kind!(String) }>();
        __p::sent::<String, { __p::text_kind!(String) }>();
        #[diagnostic::on_unimplemented(
            message = "`shelf` is no variable of the template `stock://{{title}}` and nothing that the server provides",
            label = "write `{{shelf}}` in the template, or implement `FromContext` for this type"
        )]
        trait __Provided1 {}
        #[diagnostic::do_not_recommend]
        impl<__T: __p::FromContext> __Provided1 for __T {}
        const fn __provided<__T: __Provided1>() {}
        __provided::<State<Shelf>>();
        __p::readable::<Result<String>, __RETURN>();
    };
    static __DEF: __p::ResourceDef = __p::ResourceDef::new(
            "stock",
            "stock://{title}",
            ::core::file!(),
            ::core::line!(),
            __handler,
        )
        .description("How many copies of one book are on the shelf.")
        .ttl(::core::time::Duration::from_millis(30000u64))
        .scope(__p::CacheScope::Public)
        .mime_type("text/plain")
        .params(
            &[
                __p::text_param::<__p::parsed!(String)>("title", ""),
                __p::text_param::<__p::parsed!(State < Shelf >)>("shelf", ""),
            ],
        );
    impl __p::Companion<__p::ResourceDef> for stock {
        const DEF: &'static __p::ResourceDef = &__DEF;
    }
    __p::inventory::submit! {
        __p::Registered::Resource(& __DEF)
    }
};
