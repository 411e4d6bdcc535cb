"""What _abi.py says about the C API against the headers, by a compiler and by reading them.

Sizes, places and signedness of all members, the values of all constants, and for every function how many arguments it
takes and whether each is a pointer, a floating-point number or an integer of which size.
"""

import ctypes as c
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from tacit import _abi as abi

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INCLUDE = os.path.join(SOURCE, "include")
COMPILER = next((cc for cc in ("cc", "gcc", "clang") if shutil.which(cc)), None)
ARROW = {"ArrowSchema", "ArrowArray", "ArrowArrayStream"}


def header_text():
    text = ""
    for name in sorted(os.listdir(os.path.join(INCLUDE, "tacit"))):
        with open(os.path.join(INCLUDE, "tacit", name), encoding="utf-8") as file:
            text += file.read()
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def struct_members(text):
    """Names of the members of every struct, in their order."""
    found = {}
    for body, name in re.findall(r"typedef struct tacit_\w+ \{(.*?)\}\s*(tacit_\w+);", text, flags=re.S):
        members = []
        for declaration in body.split(";"):
            function = re.search(r"\(\*(\w+)\)\(", declaration)
            if function:
                members.append(function.group(1))
                continue
            for part in declaration.split(","):
                words = re.findall(r"\w+", re.sub(r"\[[^]]*\]", " ", part))
                if words:
                    members.append(words[-1])
        found[name] = members
    return found


def kind_of_ctypes(kind):
    if kind is None:
        return "void"
    if kind is c.c_double:
        return "double"
    if kind in (c.c_void_p, c.c_char_p) or hasattr(kind, "contents") or issubclass(kind, c._Pointer):
        return "pointer"
    return "integer of %d" % c.sizeof(kind)


def kind_of_c(declaration):
    if "*" in declaration or "[" in declaration:
        return "pointer"
    words = declaration.split()
    if words == ["void"]:
        return "void"
    if "double" in words:
        return "double"
    if "bool" in words:
        return "integer of 1"
    if {"size_t", "uint64_t", "int64_t"} & set(words):
        return "integer of 8"
    return "integer of 4"  # enums and int


@unittest.skipUnless(os.path.isdir(INCLUDE), "the headers are not here")
class Layout(unittest.TestCase):
    def test_members_are_those_of_the_header(self):
        members = struct_members(header_text())
        for name, struct in abi.STRUCTS.items():
            with self.subTest(struct=name):
                self.assertEqual([field[0] for field in struct._fields_], members[name])

    @unittest.skipUnless(COMPILER, "no C compiler is installed")
    def test_layout_is_the_compilers(self):
        lines, expected = [], []

        def ask(expression, value):
            lines.append('printf("%%lld\\n", (long long)(%s));' % expression)
            expected.append((expression, value))

        for name, struct in abi.STRUCTS.items():
            ask("sizeof(%s)" % name, c.sizeof(struct))
            for field, kind in struct._fields_:
                ask("offsetof(%s, %s)" % (name, field), getattr(struct, field).offset)
                ask("sizeof(((%s *)0)->%s)" % (name, field), c.sizeof(kind))
        for constants in abi.ENUMS.values():
            for name, value in constants.items():
                ask(name, value)
        ask("sizeof(bool)", c.sizeof(c.c_bool))
        ask("sizeof(tacit_rule)", c.sizeof(c.c_int))
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "layout.c"), os.path.join(folder, "layout")
            with open(source, "w", encoding="utf-8") as file:
                file.write("#include <stddef.h>\n#include <stdio.h>\n#include <tacit.h>\nint main(void)\n{\n%s\n"
                           "return 0;\n}\n" % "\n".join(lines))
            subprocess.run([COMPILER, "-I" + INCLUDE, source, "-o", program], check=True)
            said = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        self.assertEqual(len(said), len(expected))
        for (expression, value), printed in zip(expected, said):
            self.assertEqual(value, int(printed), expression)

    def test_constants_are_complete(self):
        text = header_text()
        for name, constants in abi.ENUMS.items():
            body = re.search(r"typedef enum %s \{(.*?)\}" % name, text, flags=re.S).group(1)
            self.assertEqual(re.findall(r"TACIT_\w+", body), list(constants), name)

    def test_signatures(self):
        text = " ".join(header_text().split())
        for functions in (abi.CORE, abi.TRAIN, abi.IMPORT):
            for name, (result, arguments) in functions.items():
                found = re.search(r"TACIT_API ([^;()]*?)\b%s\(([^;]*?)\);" % name, text)
                self.assertIsNotNone(found, "%s is in no header" % name)
                declared = [] if found.group(2) == "void" else found.group(2).split(",")
                with self.subTest(function=name):
                    self.assertEqual(kind_of_ctypes(result), kind_of_c(found.group(1)))
                    self.assertEqual([kind_of_ctypes(a) for a in arguments], [kind_of_c(a) for a in declared])


if __name__ == "__main__":
    unittest.main()
