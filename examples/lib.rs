//! The code in README and documents is compiled by these documentation tests; nothing else is here. The
//! examples are the files beside this one.

#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/coming-from-rapier.md")]
    mod coming_from_rapier {}
    #[doc = include_str!("../docs/first-steps.md")]
    mod first_steps {}
    #[doc = include_str!("../docs/robots.md")]
    mod robots {}
    #[doc = include_str!("../plugin/README.md")]
    mod plugin {}
    #[doc = include_str!("../rerun-viz/README.md")]
    mod rerun_viz {}
    #[doc = include_str!("../urdf-loader/README.md")]
    mod urdf_loader {}
}
