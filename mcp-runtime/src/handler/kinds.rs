//! The types that an expansion names for a parameter or a return type, chosen by what the type is.
//!
//! Each is a macro only because a constant that looks at a type cannot be the default of a generic
//! parameter; the type stays as its author wrote it, and so does its place in a message.

/// The place of a tool's parameter of this type.
#[doc(hidden)]
#[macro_export]
macro_rules! __slot {
    ($ty:ty) => { $crate::__private::Slot<$ty, { $crate::__private::argument_kind!($ty) }> };
}

/// The place of a tool's parameter `#[args]` of this type.
#[doc(hidden)]
#[macro_export]
macro_rules! __whole {
    ($ty:ty) => { $crate::__private::Whole<$ty, { $crate::__private::is!(ARGUMENT $ty) }> };
}

/// The place of a prompt's or a resource's parameter of this type.
#[doc(hidden)]
#[macro_export]
macro_rules! __parsed {
    ($ty:ty) => { $crate::__private::Parsed<$ty, { $crate::__private::text_kind!($ty) }> };
}

/// The kind of a tool's parameter of this type.
#[doc(hidden)]
#[macro_export]
macro_rules! __argument_kind {
    ($ty:ty) => {{
        #[allow(unused_imports)]
        use $crate::__private::{Fallback as _, Probe};
        $crate::__private::param_kind(<Probe<$ty>>::INJECTED, <Probe<$ty>>::ARGUMENT, false)
    }};
}

/// The kind of a prompt's or a resource's parameter of this type.
#[doc(hidden)]
#[macro_export]
macro_rules! __text_kind {
    ($ty:ty) => {{
        #[allow(unused_imports)]
        use $crate::__private::{Fallback as _, Probe};
        $crate::__private::param_kind(<Probe<$ty>>::INJECTED, <Probe<$ty>>::TEXT, <Probe<$ty>>::OPTIONAL)
    }};
}

/// What is known of a type: a constant of `Probe`.
#[doc(hidden)]
#[macro_export]
macro_rules! __is {
    ($what:ident $ty:ty) => {{
        #[allow(unused_imports)]
        use $crate::__private::{Fallback as _, Probe};
        <Probe<$ty>>::$what
    }};
}

/// The kind of a function's return type.
#[doc(hidden)]
#[macro_export]
macro_rules! __return_kind {
    ($ty:ty) => {
        $crate::__private::return_kind($crate::__private::is!(RESULT $ty), $crate::__private::is!(FALLIBLE $ty))
    };
}

/// The kind of what a tool gives.
#[doc(hidden)]
#[macro_export]
macro_rules! __reply_kind {
    ($ty:ty) => {
        $crate::__private::reply_kind($crate::__private::is!(BLOCKS $ty), $crate::__private::is!(DATA $ty))
    };
}

/// The kind of what a resolver gives.
#[doc(hidden)]
#[macro_export]
macro_rules! __outcome_kind {
    ($ty:ty) => {
        $crate::__private::outcome_kind($crate::__private::is!(ASK $ty), $crate::__private::is!(ANSWERED $ty))
    };
}

/// One of the arguments that resolvers can read, by the parameter's name and position.
#[doc(hidden)]
#[macro_export]
macro_rules! __arg {
    (<$($a:lifetime)?> $args:ty, $name:literal, $index:tt, $slot:ty) => {
        impl<$($a)?> $crate::__private::Arg<{ $crate::__private::name($name) }> for $args {
            type Ty = <$slot as $crate::__private::Held>::Ty;

            fn arg(&self) -> &Self::Ty {
                $crate::__private::Held::held(&self.0.$index)
            }
        }
    };
}

/// What a resolver gives for a parameter of this type, where the arguments are of that type.
#[doc(hidden)]
#[macro_export]
macro_rules! __get {
    ($scope:ident, $resolver:ty, $args:ty, $ty:ty) => {
        <$resolver as $crate::__private::Gives<
            _,
            $ty,
            { $crate::__private::is!(GIVES($resolver, $args, $ty)) },
        >>::give(&$scope)
    };
}

/// The definition of a resolver.
#[doc(hidden)]
#[macro_export]
macro_rules! __resolver {
    ($resolver:ty) => {
        <$resolver as $crate::__private::Definition<{ $crate::__private::is!(RESOLVER $resolver) }>>::definition
    };
}
