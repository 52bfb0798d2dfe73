"""Programs that others' generators write from the description of the service."""

import collections
import importlib.resources
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys

from support import ServiceTestCase

# What openapi-generator warns of whatever the description says: that 3.1 is in beta, names of enumerations that are words of
# the language (of the members `type` and `error`, which standards name), and, of every example that is written where it
# belongs, that it is no reference (ExamplesUtils asks for the name behind one) or no text.
WARNINGS = re.compile(
    r"OpenAPI 3\.1 support is still in beta|"
    r"(Type|Error) \(reserved word\) cannot be used as model name|"
    r"ModelUtils - Failed to get the schema name: null|"
    r"Ignoring complex example on request body"
)
# Without it what these write refuses members that it does not know, as if the description said so.
OPEN = "disallowAdditionalPropertiesIfNotPresent=false"
REFUSAL = "is not defined in the"
GENERATORS = {"typescript-fetch": None, "kotlin": None, "swift6": None, "java": OPEN, "go": OPEN}


class GeneratorTestCase(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.folder)
        self.client = self.serve().client
        self.document = self.folder / "openapi.json"
        self.document.write_text(self.client.call("GET", "/openapi.json").text)

    def made(self, *command):
        """What a program writes that must succeed."""
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
        return done.stdout + done.stderr


class OpenAPIGeneratorTests(GeneratorTestCase):
    def setUp(self):
        super().setUp()
        self.assertTrue(shutil.which("java"), "openapi-generator needs Java: apt-get install default-jre-headless")
        self.jar = importlib.resources.files("openapi_generator_cli") / "openapi-generator.jar"

    def generate(self, name, options):
        """The files that a generator writes, and what it warns of."""
        folder = self.folder / name
        # Compiling little pays for a program that runs for seconds.
        command = ["java", "-XX:TieredStopAtLevel=1", "-jar", self.jar, "generate"]
        command += ["--generator-name", name, "--input-spec", self.document, "--output", folder]
        command += ["--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"]
        command += ["--additional-properties", options] if options else []
        output = self.made(*command)
        warnings = {line for line in output.splitlines() if re.search(r"\b(WARN|ERROR)\b", line) and not WARNINGS.search(line)}
        return [path for path in folder.rglob("*") if path.is_file()], sorted(warnings)

    def test_no_generator_warns_and_no_files_clash(self):
        for name, options in GENERATORS.items():
            with self.subTest(name):
                files, warnings = self.generate(name, options)
                self.assertEqual(warnings, [])
                self.assertGreater(len(files), 100)
                # File systems of macOS and Windows make no difference of case.
                names = collections.Counter(str(path).lower() for path in files)
                self.assertEqual([name for name, count in names.items() if count > 1], [])
                if name == "java":
                    refusing = [path.name for path in files if path.suffix == ".java" and REFUSAL in path.read_text()]
                    self.assertEqual(refusing, [])
                if name == "swift6":
                    sources = [path for path in files if "Sources" in path.parts and path.suffix == ".swift"]
                    self.made("swiftc", "-typecheck", "-swift-version", "6", *sources)


class DatamodelCodeGeneratorTests(GeneratorTestCase):
    def test_models_of_pydantic(self):
        output = self.folder / "models.py"
        output_text = self.made(
            sys.executable, "-m", "datamodel_code_generator", "--input", self.document, "--input-file-type", "openapi",
            "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin", "--output", output,
        )
        self.assertEqual(output_text, "")
        spec = importlib.util.spec_from_file_location("models", output)
        models = importlib.util.module_from_spec(spec)
        sys.modules["models"] = models
        self.addCleanup(sys.modules.pop, "models")
        spec.loader.exec_module(models)
        begun = self.client.call("POST", "/v1/signups", {"region": "KR"})
        signup = models.BegunSignup.model_validate_json(begun.text)
        self.assertEqual(signup.state.phone_text, "")
        # As a later version may answer.
        models.BegunSignup.model_validate_json(json.dumps({**begun.json, "new": 1, "state": {**begun.json["state"], "x": []}}))
        problem = self.client.call("GET", "/v1/signups/sgn_1", token="sgt_1")
        self.assertEqual(models.SignupNotFoundProblem.model_validate_json(problem.text).code, "signup_not_found")
        with self.assertRaises(ValueError):
            models.CompletedSignup.model_validate_json(json.dumps({**begun.json, "account": None, "tokens": None}))
