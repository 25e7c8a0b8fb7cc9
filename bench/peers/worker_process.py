"""A process that stays up between measurements."""
import json
import os
import subprocess


class Worker:
    """Answers each line with a line of JSON. `environment` adds to that of this process."""

    def __init__(self, command, **environment):
        self.process = subprocess.Popen([str(word) for word in command], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **environment})

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.process.args[0]} ended with {self.process.wait()}")
        return json.loads(answer)

    def end(self):
        self.process.stdin.close()
        self.process.wait()
