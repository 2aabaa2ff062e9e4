//! Expansion against what Python and its xacro make of the same text.

use std::{collections::BTreeMap, path::Path};

use super::*;
use crate::{model::Strictness, resolve::Resolver, scan};

fn expanded(text: &str, arguments: &[(&str, &str)]) -> Result<String, UrdfError> {
    let file = Path::new("made/up.xacro");
    let mut found = Findings::new(file, Strictness::Tolerant);
    let mut source = Source::new(text, &mut found);
    scan::prepare(&mut source, &mut found)?;
    let document = scan::parse(&source, &mut found).expect("well-formed");
    let resolver = Resolver::with_environment(file, &[], &[], &[]);
    let arguments: BTreeMap<String, String> = arguments
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    let around = Surroundings {
        resolver: &resolver,
        arguments: &arguments,
        leftovers: Leftovers::Refused,
    };
    expand(&source, &document, &around, &mut found).map(|s| s.text)
}

fn inside(body: &str) -> Result<String, UrdfError> {
    let text = format!("<robot xmlns:xacro='http://ros.org/xacro'>{body}</robot>");
    let out = expanded(&text, &[])?;
    let start = out.find('>').unwrap() + 1;
    let end = out.rfind("</robot>").unwrap();
    Ok(out[start..end].replace('\n', ""))
}

/// The text of an expression's value.
fn value(expression: &str) -> String {
    let expression = expression.replace('<', "&lt;");
    let out = inside(&format!("<a v=\"${{{expression}}}\"/>")).unwrap_or_else(|e| panic!("{e}"));
    let out = out
        .trim_start_matches("<a v=\"")
        .trim_end_matches("\"></a>");
    out.replace("&lt;", "<").replace("&gt;", ">")
}

/// Values as Python 3 prints them.
#[test]
fn expressions() {
    for (expression, result) in [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("7 / 2", "3.5"),
        ("7 // 2", "3"),
        ("-7 // 2", "-4"),
        ("7 // -2", "-4"),
        ("-7 % 3", "2"),
        ("7 % -3", "-2"),
        ("-7.5 % 2", "0.5"),
        ("-2 ** 2", "-4"),
        ("2 ** -1", "0.5"),
        ("2 ** 3 ** 2", "512"),
        ("1.5e-3 * 2", "0.003"),
        ("10 - 2 - 3", "5"),
        ("pi", "3.141592653589793"),
        ("cos(pi)", "-1.0"),
        ("math.radians(180) == math.pi", "True"),
        ("abs(-3)", "3"),
        ("max(1, 2.5, 2)", "2.5"),
        ("min([3, 1, 2])", "1"),
        ("int(2.7) + round(2.5)", "4"),
        ("1 if 2 > 3 else 4", "4"),
        ("1 if True else 1/0", "1"),
        ("not 0 and 3 or 5", "3"),
        ("not 1 == 2", "True"),
        ("'left' == 'left'", "True"),
        ("'l' in ['l', 'r']", "True"),
        ("'a' + 'b'", "ab"),
        ("[1, 2, 3][-1]", "3"),
        ("len('four')", "4"),
        ("1 < 2", "True"),
        ("atan2(1, 1) * 4 == pi", "True"),
        ("float('2')", "2.0"),
        ("9223372036854775807 + 1", "9.223372036854776e18"),
    ] {
        assert_eq!(value(expression), result, "{expression}");
    }
}

/// Where a function, an operand's place or a rounding could be taken for another: values as Python's.
#[test]
fn functions_and_roundings() {
    for (expression, result) in [
        ("2.5 - 1", "1.5"),
        ("7.5 % -2", "-0.5"),
        ("-7.5 // 2", "-4.0"),
        ("fmod(-7, 3)", "-1.0"),
        ("sin(pi / 2)", "1.0"),
        ("cos(0)", "1.0"),
        ("round(tan(1), 4)", "1.5574"),
        ("asin(1) * 2 == pi", "True"),
        ("acos(1)", "0.0"),
        ("round(atan(2), 4)", "1.1071"),
        ("atan2(1, 0) * 2 == pi", "True"),
        ("atan2(0, -1) == pi", "True"),
        ("exp(0)", "1.0"),
        ("log(e)", "1.0"),
        ("log(8, 2)", "3.0"),
        ("log10(100)", "2.0"),
        ("sqrt(9)", "3.0"),
        ("pow(2, 3)", "8.0"),
        ("hypot(3, 4)", "5.0"),
        ("copysign(2, -3)", "-2.0"),
        ("degrees(pi)", "180.0"),
        ("tau == 2 * pi", "True"),
        ("floor(-1.5)", "-2"),
        ("ceil(1.2)", "2"),
        ("int(-2.7)", "-2"),
        ("round(1.5) + round(0.5)", "2"),
        ("round(2.346, 2)", "2.35"),
        ("min(3, 1.5)", "1.5"),
    ] {
        assert_eq!(value(expression), result, "{expression}");
    }
}

#[test]
fn expressions_that_cannot_be() {
    for (expression, word) in [
        ("1 +", "missing"),
        ("1 / 0", "divides by zero"),
        ("gone", "`gone` is not defined"),
        ("open('x')", "open()"),
        ("{1: 2}", "dictionaries"),
        ("'a' * 3", "can't be computed"),
        ("[1][1]", "outside"),
        ("(1", "`)` expected"),
        ("1 ; 2", "`;`"),
        ("xacro.load_yaml('x')", "xacro.load_yaml"),
        (&format!("{}1{}", "(".repeat(500), ")".repeat(500)), "deep"),
        (&format!("{}1", "-".repeat(500)), "deep"),
        (&format!("1{}", "+1".repeat(5000)), "too long"),
    ] {
        let error = inside(&format!("\n<a v=\"${{{expression}}}\"/>")).unwrap_err();
        let message = error.to_string();
        let at_place = message.contains("made/up.xacro: line 2, <a>");
        assert!(at_place && message.contains(word), "{message}");
    }
}

#[test]
fn properties() {
    for (body, result) in [
        (
            "<xacro:property name='x' value='0.5'/><a v='${2*x}'/>",
            "1.0",
        ),
        // Evaluated when used.
        (
            "<xacro:property name='y' value='${x+1}'/><xacro:property name='x' value='1'/><a v='${y}'/>",
            "2",
        ),
        (
            "<xacro:property name='x' value='1'/><xacro:property name='x' default='2'/><a v='${x}'/>",
            "1",
        ),
        (
            "<xacro:property name='x' value='1 0 0'/><a v='${x}'/>",
            "1 0 0",
        ),
        (
            "<xacro:property name='n' value='007'/><a v='${n}_link'/>",
            "007_link",
        ),
        (
            "<xacro:property name='n' value='arm'/><a v='${n}_$${n}_$'/>",
            "arm_${n}_$",
        ),
        ("<xacro:arg name='a' default='3'/><a v='$(arg a)'/>", "3"),
        (
            "<xacro:arg name='a' default='3'/><a v='${xacro.arg(\"a\") + 1}'/>",
            "4",
        ),
        (
            "<a v='$(optenv STICKSLIP_NO_SUCH_VARIABLE 0 -1.5 3)'/>",
            "0 -1.5 3",
        ),
        ("<a v='$(eval 1 + 2)'/>", "3"),
    ] {
        let expected = format!("<a v=\"{result}\"></a>");
        assert_eq!(inside(body).unwrap(), expected, "{body}");
    }
    let given = "<robot xmlns:xacro='http://ros.org/xacro'><xacro:arg name='a' default='3'/><a v='$(arg a)'/></robot>";
    assert!(
        expanded(given, &[("a", "left")])
            .unwrap()
            .contains("v=\"left\"")
    );
}

#[test]
fn macros_and_blocks() {
    let define = "<xacro:macro name='leg' params='name side:=1 text:=\"a b\" *origin **more'>\
        <link name='${name}_leg' side='${-side}' text='${text}'><xacro:insert_block name='origin'/>\
        <xacro:insert_block name='more'/></link></xacro:macro>";
    let call = "<xacro:leg name='front'><origin xyz='0'/><group><b/><c/></group></xacro:leg>";
    assert_eq!(
        inside(&format!("{define}{call}")).unwrap(),
        "<link name=\"front_leg\" side=\"-1\" text=\"a b\"><origin xyz=\"0\"></origin><b></b><c></c></link>"
    );
    // Blocks are evaluated where they are written; forwarded parameters come from there.
    let nested = "<xacro:property name='x' value='1'/>\
        <xacro:macro name='in' params='x:=^ y:=^|7 *b'><a x='${x}' y='${y}'/><xacro:insert_block name='b'/></xacro:macro>\
        <xacro:macro name='out' params='x'><xacro:in><b x='${x}'/></xacro:in></xacro:macro><xacro:out x='5'/>";
    assert_eq!(
        inside(nested).unwrap(),
        "<a x=\"5\" y=\"7\"></a><b x=\"5\"></b>"
    );
    // Recursion with an end.
    let count = "<xacro:macro name='n' params='k'><a k='${k}'/><xacro:if value='${k > 1}'>\
        <xacro:n k='${k-1}'/></xacro:if></xacro:macro><xacro:n k='3'/>";
    assert_eq!(
        inside(count).unwrap(),
        "<a k=\"3\"></a><a k=\"2\"></a><a k=\"1\"></a>"
    );
}

#[test]
fn conditions() {
    for (value, holds) in [
        ("true", true),
        ("False", false),
        ("1", true),
        ("0", false),
        ("${1 == 1.0}", true),
        ("${'a' == 'b'}", false),
    ] {
        let body = format!(
            "<xacro:if value=\"{value}\"><a/></xacro:if><xacro:unless value=\"{value}\"><b/></xacro:unless>"
        );
        let result = if holds { "<a></a>" } else { "<b></b>" };
        assert_eq!(inside(&body).unwrap(), result, "{value}");
    }
}

#[test]
fn what_is_refused() {
    for (body, word) in [
        ("<xacro:gone/>", "macro `gone`"),
        ("<xacro:if value='perhaps'/>", "neither true nor false"),
        ("<xacro:include filename='gone.xacro'/>", "gone.xacro"),
        (
            "<a v='$(find no_such_package_here)/x'/>",
            "no_such_package_here",
        ),
        ("<a v='$(arg a)'/>", "argument `a`"),
        ("<a v='$(anon x)'/>", "$(anon"),
        ("<a v='${1'/>", "not closed"),
        ("<xacro:element xacro:name='a'/>", "not supported"),
        ("<xacro:insert_block name='b'/>", "no block `b`"),
        (
            "<xacro:macro name='m' params='a'/><xacro:m/>",
            "parameter `a` is missing",
        ),
        (
            "<xacro:macro name='m' params=''/><xacro:m b='1'/>",
            "no parameter `b`",
        ),
        (
            "<xacro:property name='x' value='${x}'/><a v='${x}'/>",
            "refers to itself",
        ),
        (
            "<xacro:macro name='m' params=''><xacro:m/></xacro:macro><xacro:m/>",
            "does it call itself",
        ),
    ] {
        let error = inside(body).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains(word), "{error}");
    }
}

/// A few lines that would grow to 2^20 elements or bytes and more.
#[test]
fn growth_is_bounded() {
    let level = |k: usize| {
        format!(
            "<xacro:macro name='m{}' params=''><xacro:m{k}/><xacro:m{k}/></xacro:macro>",
            k + 1
        )
    };
    let macros: String = (0..20).map(level).collect();
    let bomb = format!("<xacro:macro name='m0' params=''><a/></xacro:macro>{macros}<xacro:m20/>");
    assert!(
        inside(&bomb)
            .unwrap_err()
            .to_string()
            .contains("without end")
    );
    let level = |k: usize| {
        format!(
            "<xacro:property name='p{}' value='${{p{k}}}${{p{k}}}'/>",
            k + 1
        )
    };
    let texts: String = (0..20).map(level).collect();
    let long = "x".repeat(1000);
    let bomb = format!("<xacro:property name='p0' value='{long}'/>{texts}<a v='${{p20}}'/>");
    assert!(inside(&bomb).is_err());
    let deep = format!("{}{}", "<a>".repeat(1000), "</a>".repeat(1000));
    assert!(inside(&deep).unwrap_err().to_string().contains("deep"));
}
