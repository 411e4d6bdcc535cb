"""Processes and threads: forks, eight sessions at once, Ctrl-C, memory that stays flat, pools of processes."""

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

import sample
import tacit

SCALE = float(os.environ.get("TACIT_TEST_SCALE", "1"))


def audit_part(job):
    model, people = job
    return model.audit(people, deltas=(0,)).partial()


def resident():
    """Bytes in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Forks(unittest.TestCase):
    def setUp(self):
        self.people = sample.people(5000)
        self.model = tacit.fit(self.people, label="outcome", public=["region"])
        self.expected = self.model.audit(self.people, deltas=(0,)).results  # with threads, before forking

    def in_child(self, work):
        """Does `work` give True in a forked process, within a minute?"""
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if work() else 1)
            except BaseException:  # noqa: B902
                os._exit(2)
        for _ in range(600):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.1)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return "hangs"

    def test_audit_after_fork(self):
        self.assertEqual(self.in_child(
            lambda: self.model.audit(self.people, deltas=(0,), threads=2).results == self.expected), 0)

    def test_training_and_sessions_after_fork(self):
        def work():
            model = tacit.fit(self.people, label="outcome", public=["region"], threads=2)
            with model.session(public={"region": "north"}) as session:
                return model.to_bytes() == self.model.to_bytes() and session.next() is not None

        self.assertEqual(self.in_child(work), 0)

    def test_fork_while_auditing(self):
        stop = []

        def keep_auditing():
            while not stop:
                self.model.audit(self.people, deltas=(0,), threads=2)

        thread = threading.Thread(target=keep_auditing)
        thread.start()
        try:
            for _ in range(5):
                self.assertEqual(self.in_child(
                    lambda: self.model.audit(self.people, deltas=(0,), threads=2).results == self.expected), 0)
        finally:
            stop.append(True)
            thread.join()

    def test_pools_of_processes(self):
        parts = [(self.model, {name: values[k::4] for name, values in self.people.items()}) for k in range(4)]
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                joined = tacit.merge(pool.map(audit_part, parts))
            self.assertEqual(joined.results, self.expected)


class Threads(unittest.TestCase):
    def test_eight_sessions_at_once(self):
        people = sample.people()
        model = tacit.fit(people, label="outcome", public=["region"])
        expected = list(model.labels(people))
        wrong = []

        def ask(start):
            try:
                for i in range(start, 400, 8):
                    person = {name: values[i] for name, values in people.items()}
                    with model.session(public=person) as session:
                        while (question := session.next()) is not None:
                            session.answer(question.name, person[question.name])
                        if session.decision().label != expected[i]:
                            wrong.append(i)
            except BaseException as error:  # noqa: B902
                wrong.append(error)

        threads = [threading.Thread(target=ask, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_one_session_in_many_threads(self):
        """Not meant, but nothing may break: calls wait for each other, and closing ends them."""
        model = tacit.fit(sample.people(), label="outcome", public=["region"])
        session = model.session()
        odd = []

        def use():
            for _ in range(300):
                try:
                    session.next()
                    session.answer("age", 30)
                    session.undo()
                except tacit.Error:
                    pass
                except BaseException as error:  # noqa: B902
                    odd.append(error)

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.01)
        session.close()
        for thread in threads:
            thread.join()
        self.assertEqual(odd, [])

    def test_audits_at_once(self):
        people = sample.people(3000)
        model = tacit.fit(people, label="outcome", public=["region"])
        expected = model.audit(people, deltas=(0,)).json()
        found = []
        threads = [threading.Thread(target=lambda: found.append(model.audit(people, deltas=(0,)).json()))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)


LONG = """
import signal, sys, time, tacit, sample
people = sample.people(300000)
model = tacit.fit(sample.people(2000), label="outcome", public=["region"], kind="mlp", hidden=[12, 12], epochs=3)
print("ready", flush=True)
try:
    model.audit(people, deltas=(0, 0.05))
except KeyboardInterrupt:
    print("stopped", flush=True)
    small = sample.people(200)
    print(model.audit(small, deltas=(0,)).people, flush=True)
"""


class Interrupts(unittest.TestCase):
    def test_control_c_ends_an_audit(self):
        paths = [os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")]
        child = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env=dict(os.environ, PYTHONPATH=os.pathsep.join(paths)))
        try:
            self.assertEqual(child.stdout.readline(), "ready\n")
            time.sleep(1.5)
            self.assertIsNone(child.poll(), "it was over before it could be stopped")
            child.send_signal(signal.SIGINT)
            said, complaints = child.communicate(timeout=60)
        finally:
            child.kill()
            child.wait()
        self.assertEqual((said, complaints), ("stopped\n200\n", ""))


class Memory(unittest.TestCase):
    def test_sessions_leave_nothing(self):
        model = tacit.fit(sample.people(), label="outcome", public=["region"])
        person = {"region": "north", "age": 30, "income": 2500}

        def play(n):
            for _ in range(n):
                with model.session(public=person) as session:
                    session.answer("age", 30)
                    session.decision()

        play(2000)
        before = resident()
        play(int(20000 * SCALE) + 1000)  # TACIT_TEST_SCALE=5: 10^5
        self.assertLess(resident() - before, 4 << 20)

    def test_sessions_nobody_closed_leave_nothing(self):
        model = tacit.fit(sample.people(), label="outcome", public=["region"])

        def play(n):
            for _ in range(n):
                session = model.session()
                session.answer("age", 30)

        play(2000)
        before = resident()
        play(int(5000 * SCALE) + 1000)
        self.assertLess(resident() - before, 4 << 20)

    def test_audits_and_errors_leave_nothing(self):
        people = sample.people(2000)
        model = tacit.fit(people, label="outcome", public=["region"])
        bad = dict(people, region=["moon"] * 2000)

        def play(n):
            for _ in range(n):
                model.audit(people, deltas=(0,), smallest=False, needs=False, threads=1).per_person()
                try:
                    model.audit(bad, threads=1)
                except tacit.Error:
                    pass
                tacit.from_bytes(model.to_bytes())

        play(20)
        before = resident()
        play(int(40 * SCALE) + 20)
        self.assertLess(resident() - before, 8 << 20)


if __name__ == "__main__":
    unittest.main()
