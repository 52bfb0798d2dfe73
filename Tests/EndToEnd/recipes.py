"""Recipes of an article, which run as they stand there."""

import re

from support import ServiceTestCase, code_in, free_port


class RecipeTestCase(ServiceTestCase):
    """`article` has the recipes, each a block of settings with one gateway."""

    article = None
    secret = "s3cret-of-this-route"

    def recipe(self, name, changes, secret=None, more="", **settings):
        """A service by the recipe of this gateway, with the test's addresses for the article's."""
        found = re.findall(r"```yaml\n(.*?)```", self.article.read_text(), re.S)
        [block] = [block for block in found if f"    {name}:\n" in block]
        path = self.write("secret", secret or self.secret, mode=0o600)
        text = re.sub(r"/run/secrets/[\w-]+", str(path), block)
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        port = free_port()
        text = text.replace("127.0.0.1:8080", f"127.0.0.1:{port}").replace("127.0.0.1%3A8080", f"127.0.0.1%3A{port}")
        file = self.write("recipe.yaml", text + more)
        return self.serve(command=("serve", "--config", file), port=port, **settings)

    def begin(self, server, number, **body):
        begun = server.client.begin(number, more=body)
        self.assertEqual(begun.status, 201, begun.text)
        return begun.json["id"]

    def statuses(self):
        return [message["status"] for message in self.outbox()]

    def check(self, server, verification, text):
        checked = server.client.check(verification, code_in(text))
        self.assertEqual((checked.status, checked.json["status"]), (200, "approved"), checked.text)
        self.assertNotIn(self.secret, server.log_text)
