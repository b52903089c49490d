async fn load_invoice(order_id: u64, db: State<Db>, order: Order) -> Result<Invoice> {
    db.invoice(order_id, order).await
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, unreachable_pub)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
enum load_invoice {}
#[allow(deprecated, unused_mut, unused_variables, clippy::pedantic)]
const _: () = {
    use ::mcp_runtime::__private as __p;
    type __Ret = Result<Invoice>;
    const __RETURN: __p::Kind = __p::return_kind!(__Ret);
    type __Value = <__Ret as __p::Returned<__RETURN>>::Value;
    const __OUTCOME: __p::Kind = __p::outcome_kind!(__Value);
    #[diagnostic::on_unimplemented(
        message = "resolver `load_invoice` needs the tool argument `order_id: u64`, and this tool has none of that name and type",
        label = "add the argument to the tool, or use another resolver"
    )]
    trait __Needs0: __p::Has<
            { __p::name("order_id") },
            u64,
            { __p::is!(INJECTED u64) },
        > {}
    #[diagnostic::do_not_recommend]
    impl<
        __A: __p::Has<{ __p::name("order_id") }, u64, { __p::is!(INJECTED u64) }>,
    > __Needs0 for __A {}
    #[diagnostic::on_unimplemented(
        message = "resolver `load_invoice` needs the tool argument `db: State<Db>`, and this tool has none of that name and type",
        label = "add the argument to the tool, or use another resolver"
    )]
    trait __Needs1: __p::Has<
            { __p::name("db") },
            State<Db>,
            { __p::is!(INJECTED State < Db >) },
        > {}
    #[diagnostic::do_not_recommend]
    impl<
        __A: __p::Has<
                { __p::name("db") },
                State<Db>,
                { __p::is!(INJECTED State < Db >) },
            >,
    > __Needs1 for __A {}
    impl<__A: ::core::marker::Sync + __Needs0 + __Needs1> __p::Resolver<__A>
    for load_invoice
    where
        load_order: __p::Resolver<__A>,
        <load_order as __p::Resolver<__A>>::Out: __p::Supply<Order>,
    {
        type Out = <__Value as __p::Resolved<__OUTCOME>>::Out;
        async fn run<'s>(
            __scope: &'s __p::Scope<'s, __A>,
        ) -> ::core::result::Result<Self::Out, __p::Stop> {
            let __order_id = <__A as __p::Has<
                { __p::name("order_id") },
                u64,
                { __p::is!(INJECTED u64) },
            >>::get(__scope.args(), __scope.call().context())
                .await?;
            let __db = <__A as __p::Has<
                { __p::name("db") },
                State<Db>,
                { __p::is!(INJECTED State < Db >) },
            >>::get(__scope.args(), __scope.call().context())
                .await?;
            let (__order,) = __p::join!(__scope.get:: < load_order, Order > ());
            let (__order,) = (__order?,);
            let __ret: __Ret = load_invoice(__order_id, __db, __order).await;
            let __value = __p::Returned::<__RETURN>::value(__ret)?;
            __p::Resolved::<__OUTCOME>::settle(__value, __scope.call(), "invoice").await
        }
    }
    const _: () = {
        __p::is_resolver::<load_order>();
        __p::told::<Result<Invoice>, __RETURN>();
    };
    static __DEF: __p::ResolverDef = __p::ResolverDef::new(
            "load_invoice",
            "invoice",
            ::core::file!(),
            ::core::line!(),
        )
        .needs(
            &[
                <__p::slot!(u64) as __p::Fill<'static>>::need,
                <__p::slot!(State < Db >) as __p::Fill<'static>>::need,
            ],
        )
        .resolvers(&[__p::resolver!(load_order)]);
    impl __p::Companion<__p::ResolverDef> for load_invoice {
        const DEF: &'static __p::ResolverDef = &__DEF;
    }
    __p::inventory::submit! {
        __p::Registered::Resolver(& __DEF)
    }
};
