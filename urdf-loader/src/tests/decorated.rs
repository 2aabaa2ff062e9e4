//! A valid robot with legal or common decorations loads to the same model as the plain one: repeated and unknown
//! elements and attributes, comments, odd white space and numbers, missing optional attributes, slips of the XML.

use proptest::prelude::*;
use stickslip_random::Random;

use super::*;

/// A stream of choices.
struct Choices(Random);

impl Choices {
    fn of(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// Once in `n`.
    fn once_in(&mut self, n: usize) -> bool {
        self.of(n) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.of(from.len())]
    }

    /// A number of few digits.
    fn number(&mut self) -> f64 {
        (self.of(401) as f64 - 200.0) / 100.0
    }

    fn positive(&mut self) -> f64 {
        (1 + self.of(200)) as f64 / 100.0
    }
}

/// An attribute, and the value that its absence means, if that is allowed.
struct Attribute {
    name: &'static str,
    value: Text,
    default: Option<&'static str>,
}

enum Text {
    Word(String),
    Numbers(Vec<f64>),
}

/// An element; `once` if its parent reads the first of its name only.
struct Element {
    tag: &'static str,
    attributes: Vec<Attribute>,
    children: Vec<Element>,
    once: bool,
}

fn element(tag: &'static str, attributes: Vec<Attribute>, children: Vec<Element>) -> Element {
    Element {
        tag,
        attributes,
        children,
        once: !matches!(tag, "link" | "joint" | "visual" | "collision" | "robot"),
    }
}

fn word(name: &'static str, value: impl Into<String>) -> Attribute {
    Attribute {
        name,
        value: Text::Word(value.into()),
        default: None,
    }
}

fn numbers(name: &'static str, value: &[f64], default: Option<&'static str>) -> Attribute {
    Attribute {
        name,
        value: Text::Numbers(value.to_vec()),
        default,
    }
}

fn origin(c: &mut Choices) -> Element {
    let mut three = || match c.once_in(3) {
        true => [0.0; 3],
        false => [c.number(), c.number(), c.number()],
    };
    let zero = Some("0 0 0");
    let attributes = vec![
        numbers("xyz", &three(), zero),
        numbers("rpy", &three(), zero),
    ];
    element("origin", attributes, vec![])
}

fn shape(tag: &'static str, c: &mut Choices) -> Element {
    let (a, b) = (c.positive(), c.positive());
    let size = numbers("size", &[a, b, c.positive()], None);
    let radius = numbers("radius", &[a], None);
    let length = numbers("length", &[b], None);
    let inside = match c.of(4) {
        0 => element("box", vec![size], vec![]),
        1 => element("sphere", vec![radius], vec![]),
        2 => element("cylinder", vec![radius, length], vec![]),
        _ => element("capsule", vec![radius, length], vec![]),
    };
    let mut children = vec![origin(c), element("geometry", vec![], vec![inside])];
    if tag == "visual" {
        let rgba = [0.25, 0.5, 0.75, 1.0];
        let color = element("color", vec![numbers("rgba", &rgba, None)], vec![]);
        children.push(element("material", vec![word("name", "m")], vec![color]));
    }
    element(tag, vec![], children)
}

fn link(name: &str, c: &mut Choices) -> Element {
    let i = c.positive();
    let moment = |name| numbers(name, &[i], None);
    let product = |name| numbers(name, &[0.0], None);
    let inertia = vec![
        moment("ixx"),
        product("ixy"),
        product("ixz"),
        moment("iyy"),
        product("iyz"),
        moment("izz"),
    ];
    let inertial = vec![
        origin(c),
        element(
            "mass",
            vec![numbers("value", &[c.positive()], None)],
            vec![],
        ),
        element("inertia", inertia, vec![]),
    ];
    let mut children = vec![element("inertial", vec![], inertial)];
    for tag in ["visual", "collision"] {
        children.extend((0..c.of(3)).map(|_| shape(tag, c)));
    }
    element("link", vec![word("name", name)], children)
}

fn joint(number: usize, parent: usize, c: &mut Choices) -> Element {
    let kind = c.pick(&["fixed", "revolute", "continuous", "prismatic", "planar"]);
    let axis = match c.of(3) {
        0 => [1.0, 0.0, 0.0],
        1 => [0.0, 0.0, -1.0],
        _ => [0.6, 0.8, 0.0],
    };
    let end = |tag, link| element(tag, vec![word("link", format!("l{link}"))], vec![]);
    let low = if c.once_in(2) { 0.0 } else { -c.positive() };
    let limit = vec![
        numbers("lower", &[low], Some("0")),
        numbers("upper", &[c.positive()], None),
        numbers("effort", &[c.positive()], None),
        numbers("velocity", &[c.positive()], None),
    ];
    let friction = if c.once_in(2) { 0.0 } else { 0.5 };
    let dynamics = vec![
        numbers("damping", &[c.positive()], None),
        numbers("friction", &[friction], Some("0")),
    ];
    let children = vec![
        origin(c),
        end("parent", parent),
        end("child", number),
        element("axis", vec![numbers("xyz", &axis, None)], vec![]),
        element("limit", limit, vec![]),
        element("dynamics", dynamics, vec![]),
    ];
    let attributes = vec![word("name", format!("j{number}")), word("type", kind)];
    element("joint", attributes, children)
}

fn robot(c: &mut Choices) -> Element {
    let mut children = vec![link("l0", c)];
    for number in 1..=c.of(5) {
        children.push(link(&format!("l{number}"), c));
        let parent = c.of(number);
        children.push(joint(number, parent, c));
    }
    element("robot", vec![word("name", "r")], children)
}

/// The plain text: every attribute, nothing else.
fn plain(e: &Element, out: &mut String) {
    *out += &format!("<{}", e.tag);
    for a in &e.attributes {
        let value = match &a.value {
            Text::Word(w) => w.clone(),
            Text::Numbers(v) => v.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
        };
        *out += &format!(" {}=\"{value}\"", a.name);
    }
    *out += ">";
    e.children.iter().for_each(|child| plain(child, out));
    *out += &format!("</{}>", e.tag);
}

/// Things that mean nothing, between elements.
fn between(c: &mut Choices, out: &mut String) {
    match c.of(12) {
        0 => *out += "\n\t <!-- a comment -->\r\n",
        1 => *out += "<!-- <link name='l0'/> -- not --->",
        2 => *out += "<unheard of='it'>text &amp; &nbsp; <deeper/></unheard>",
        3 => *out += "<hardwareInterface>EffortJointInterface</hardwareInterface>",
        4 => *out += "<ns:thing ns:of='x'/>",
        5 => *out += "\n\n   text that nobody reads\n",
        6 => *out += "<![CDATA[ <link/> ]]>",
        7 => *out += "<?instruct this?>",
        _ => *out += c.pick(&["", " ", "\n", "\t\r\n  "]),
    }
}

/// The same number, written otherwise.
fn odd_number(x: f64, c: &mut Choices) -> String {
    match c.of(6) {
        0 => format!("{x:.6}"),
        1 => format!("{x:e}"),
        2 => format!("{x:E}"),
        3 if x >= 0.0 => format!("+{x}"),
        4 if x.fract() == 0.0 => format!("{x}."),
        _ => x.to_string(),
    }
}

/// The same robot, decorated.
fn decorated(e: &Element, c: &mut Choices, out: &mut String) {
    *out += &format!("<{}", e.tag);
    let mut attributes: Vec<_> = e.attributes.iter().collect();
    if c.once_in(2) {
        attributes.reverse();
    }
    for a in attributes {
        let same = match (&a.value, a.default) {
            (Text::Numbers(v), Some("0 0 0")) => *v == [0.0; 3],
            (Text::Numbers(v), Some(_)) => *v == [0.0],
            _ => false,
        };
        if same && c.once_in(2) {
            continue;
        }
        if c.once_in(8) {
            *out += " unheard='of &'";
        }
        let value = match &a.value {
            Text::Word(w) => w.clone(),
            Text::Numbers(v) => {
                let blank = c.pick(&[" ", "  ", " \n", "\t"]);
                let words: Vec<_> = v.iter().map(|x| odd_number(*x, c)).collect();
                words.join(blank)
            }
        };
        let quote = c.pick(&["'", "\""]);
        let equals = c.pick(&["=", " =", "= ", "\n="]);
        let blank = c.pick(&[" ", "\n\t", "  "]);
        *out += &format!("{blank}{}{equals}{quote}{value}{quote}", a.name);
        if c.once_in(12) {
            *out += &format!(" {}='another'", a.name);
        }
    }
    if e.children.is_empty() && c.once_in(2) {
        *out += c.pick(&["/>", " />", "\n/>"]);
        return;
    }
    *out += c.pick(&[">", " >"]);
    for child in &e.children {
        between(c, out);
        // An origin that says nothing, and an axis along x, need not be there.
        let says = |zero: &[f64]| {
            let mut all = child.attributes.iter();
            all.any(|a| !matches!(&a.value, Text::Numbers(v) if v == zero))
        };
        let silent = match child.tag {
            "origin" => !says(&[0.0; 3]),
            "axis" => !says(&[1.0, 0.0, 0.0]),
            _ => false,
        };
        if silent && c.once_in(2) {
            continue;
        }
        decorated(child, c, out);
        if child.once && c.once_in(8) {
            between(c, out);
            let again = match child.tag {
                "origin" => "<origin xyz='9 9 9'/>",
                "parent" => "<parent link='l0'/>",
                "child" => "<child link='nobody'/>",
                "axis" => "<axis xyz='0 9 0'/>",
                "limit" => "<limit effort='9' velocity='9'/>",
                "dynamics" => "<dynamics damping='9'/>",
                "inertial" => "<inertial><mass value='9'/></inertial>",
                "mass" => "<mass value='9'/>",
                "inertia" => "<inertia ixx='9' iyy='9' izz='9'/>",
                "geometry" => "<geometry><sphere radius='9'/></geometry>",
                "material" => "<material name='other'><color rgba='9 9 9 9'/></material>",
                "color" => "<color rgba='1 1 1 1'/>",
                _ => "<sphere radius='9'/>",
            };
            *out += again;
        }
    }
    between(c, out);
    *out += &format!("</{}{}>", e.tag, c.pick(&["", " ", "\n"]));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decorated_robots_are_the_plain_ones(seed in 1u64.., decoration in 1u64..) {
        let robot = robot(&mut Choices(Random::new(seed)));
        let file = Path::new("made/up.urdf");
        let load = |text: &str| {
            let model = RobotModel::from_urdf(text, file, &LoadOptions::default());
            model.map(|m| RobotModel { notes: vec![], ..m })
        };
        let mut text = String::new();
        plain(&robot, &mut text);
        let wanted = load(&text);
        prop_assert!(wanted.is_ok(), "{}: {wanted:?}", text);
        let mut c = Choices(Random::new(decoration));
        let mut text = c.pick(&["", "\u{feff}", "<?xml version='1.0'?>", "\n <?xml version=\"1.0\" ?>\n"]).to_string();
        decorated(&robot, &mut c, &mut text);
        text += c.pick(&["", "\n", "\n<!-- the end -->", "\0\0", "\n</robot>", "<robot/>"]);
        let found = load(&text);
        prop_assert!(found == wanted, "{}\n{found:#?}\n{wanted:#?}", text);
    }
}
