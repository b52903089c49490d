//! The names under which serde reads the fields of a struct, aliases among them: schemas lack those.

use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor},
};

/// The names of the fields of `T`; none where it is no plain struct.
pub(crate) fn fields<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It fails always, after it has said what it looks for.
    _ = T::deserialize(Probe(&mut names));
    names
}

struct Probe<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("no struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(Self::Error::custom("only its fields were looked for"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::fields;

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its fields' names matter")]
    struct Query {
        text: String,
        #[serde(alias = "max", default)]
        limit: Option<u32>,
    }

    #[test]
    fn aliases_are_among_the_names() {
        let mut names = fields::<Query>().to_vec();
        names.sort_unstable();
        assert_eq!(names, ["limit", "max", "text"]);
        assert!(fields::<String>().is_empty());
    }
}
