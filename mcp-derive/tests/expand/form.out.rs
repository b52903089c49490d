#[allow(deprecated, clippy::pedantic)]
const _: () = {
    use ::mcp_runtime::__private as __p;
    #[automatically_derived]
    impl __p::Form for Quantity {
        const FIELDS: &'static [__p::FieldDef] = &[
            __p::field::<u32>("copies", "Number of copies")
                .default(__p::Literal::Int(1))
                .range(
                    ::core::option::Option::Some(__p::Literal::Int(1)),
                    ::core::option::Option::Some(__p::Literal::Int(10)),
                ),
            __p::field::<Option<Cover>>("cover", ""),
        ];
        fn read_form(__reader: &mut __p::FormReader) -> ::core::option::Option<Self> {
            let __copies = <u32 as __p::ReadField<
                { __p::is!(FIELD u32) },
            >>::read_field(__reader, &<Self as __p::Form>::FIELDS[0]);
            let __cover = <Option<
                Cover,
            > as __p::ReadField<
                { __p::is!(FIELD Option < Cover >) },
            >>::read_field(__reader, &<Self as __p::Form>::FIELDS[1]);
            ::core::option::Option::Some(Self {
                copies: __copies?,
                cover: __cover?,
            })
        }
    }
};
#[allow(deprecated, clippy::pedantic)]
const _: () = {
    use ::mcp_runtime::__private as __p;
    #[automatically_derived]
    impl __p::Choice for Cover {
        const VARIANTS: &'static [(
            &'static str,
            ::core::option::Option<&'static str>,
        )] = &[
            ("Hard", ::core::option::Option::Some("Hardcover")),
            ("soft", ::core::option::Option::None),
        ];
        fn variant(__index: ::core::primitive::usize) -> ::core::option::Option<Self> {
            match __index {
                0usize => ::core::option::Option::Some(Self::Hard),
                1usize => ::core::option::Option::Some(Self::Soft),
                _ => ::core::option::Option::None,
            }
        }
    }
};
