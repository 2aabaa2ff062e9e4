//! Enums whose variants have a name in commands and files.

/// An enum with its variants' names: `ALL` in the order of declaration, `as_str`, and `Display`. Variants after a semicolon
/// are in no list.
macro_rules! named {
    ($(#[$meta:meta])* pub enum $enum:ident {
        $($(#[$note:meta])* $variant:ident = $name:literal,)+
        $(; $($(#[$aside:meta])* $unlisted:ident = $word:literal,)+)?
    }) => {
        $(#[$meta])*
        pub enum $enum {
            $($(#[$note])* $variant,)+
            $($($(#[$aside])* $unlisted,)+)?
        }

        impl $enum {
            /// Those to choose from, in the order of the command's list.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name used by the command and in JSON.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                    $($(Self::$unlisted => $word,)+)?
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use named;
