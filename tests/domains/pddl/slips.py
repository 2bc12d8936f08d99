"""PDDL files with slips: each is the good domain and problem below with one text replaced by another."""

from typing import NamedTuple

__all__ = ["DOMAIN", "PROBLEM", "SLIPS", "Slip"]

DOMAIN = """(define (domain hall)
  (:requirements :strips :typing :negative-preconditions)
  (:types ball room)
  (:constants red - ball)
  (:predicates (in ?b - ball ?r - room) (at ?r - room) (full) (lit ?r - room))
  (:action go
    :parameters (?from ?to - room)
    :precondition (and (at ?from) (not (at ?to)))
    :effect (and (not (at ?from)) (at ?to)))
  (:action kick
    :parameters (?b - ball ?from ?to - room)
    :precondition (and (at ?from) (in ?b ?from))
    :effect (and (not (in ?b ?from)) (in ?b ?to) (full)))
  (:action light :parameters (?r - room) :precondition (at ?r) :effect (lit ?r)))
"""
PROBLEM = """(define (problem hall-1)
  (:domain hall)
  (:objects blue - ball cellar attic - room)
  (:init (at cellar) (in blue cellar) (in red attic))
  (:goal (and (in blue attic))))
"""


class Slip(NamedTuple):
    """A slip: what is replaced in the domain and the problem, and what is reported.

    Attributes:
        old: The text to replace, wherever it is.
        new: The text that stands there instead.
        report: Line, column and code of the first warning, or of the first error when the files are refused.
        refused: Whether the files cannot be read, although some planners may read them.
    """

    old: str
    new: str
    report: str = ""
    refused: bool = False


SLIPS = {
    # names
    "the problem is called 0": Slip("hall-1", "0", "1:18 odd-name"),
    "the problem has an odd name": Slip("hall-1", "hall.1/a+b", "1:18 odd-name"),
    "the problem has no name": Slip("(problem hall-1)", "(problem)", "1:9 missing-name"),
    "the problem is not named at all": Slip("(problem hall-1)", "", "2:3 missing-name"),
    "the domain begins with a digit": Slip("hall)", "3halls)", "1:17 odd-name"),
    "the domain has a dot": Slip("hall)", "hall.strips)", "1:17 odd-name"),
    "objects are numbers": Slip("cellar", "1", "3:25 odd-name"),
    "an object begins with a digit": Slip("attic", "2nd-floor", "3:32 odd-name"),
    "an object begins with _": Slip("attic", "_attic", "3:32 odd-name"),
    "an object has odd characters": Slip("attic", "attic@home#2", "3:32 odd-name"),
    "an object begins with a colon": Slip("attic", ":attic", "3:32 odd-name"),
    "a constant is a number": Slip(" red", " 7", "4:15 odd-name"),
    "a type begins with a digit": Slip("room", "2room", "3:16 odd-name"),
    "a type has a dot": Slip("room", "room.x", "3:16 odd-name"),
    "a predicate begins with a digit": Slip("lit", "1st", "5:64 odd-name"),
    "a predicate has odd characters": Slip("full", "full!", "5:57 odd-name"),
    "an action begins with a digit": Slip("action go", "action 1-go", "6:12 odd-name"),
    "an action has a slash": Slip("action go", "action go/now", "6:12 odd-name"),
    "a variable is a number": Slip("?from", "?1", "7:18 odd-name"),
    "a variable begins with _": Slip("?from", "?_from", "7:18 odd-name"),
    "a variable has a dot": Slip("?from", "?from.room", "7:18 odd-name"),
    "a variable has no name": Slip("?from", "?", "7:18 odd-name"),
    "names differ in case": Slip("(at cellar)", "(At CELLAR)"),
    "keywords are in capitals": Slip(":action go\n    :parameters", ":ACTION go\n    :Parameters"),
    "define is in capitals": Slip("(define (domain", "(DEFINE (Domain"),
    "a name is not ASCII": Slip("attic", "attíc", "3:32 name", refused=True),
    "a predicate is called as a type": Slip("lit", "room"),
    "an object is called as a type": Slip("cellar", "room"),
    "an object is called as a predicate": Slip("cellar", "lit"),
    "an action is called as a predicate": Slip("action light", "action lit"),
    "an object is called object": Slip("cellar", "object"),
    # spaces and comments
    "no space after a dash in a predicate": Slip(
        "(lit ?r - room)", "(lit ?r -room)", "5:71 space-missing", refused=True
    ),
    "no space after a dash in parameters": Slip(
        "(?from ?to - room)", "(?from ?to -room)", "7:28 space-missing", refused=True
    ),
    "no space before a dash": Slip("(lit ?r - room)", "(lit ?r- room)", "5:72 name", refused=True),
    "no space after a dash in the objects": Slip("attic - room", "attic -room", "3:38 space-missing"),
    "no space after a dash in the constants": Slip("red - ball", "red -ball", "4:19 space-missing"),
    "no space before a variable": Slip("(at ?from)", "(at?from)", "8:27 space-missing"),
    "no space between variables": Slip("?b - ball ?from ?to", "?b - ball ?from?to", "11:33 space-missing"),
    "no space between brackets": Slip("(at ?from) (not", "(at ?from)(not"),
    "a comment within an atom": Slip("(at ?from) (not", "(at ; here\n ?from) (not"),
    "a comment right after a name": Slip("(lit ?r - room))", "(lit ?r - room;of the house\n))"),
    "a comment with brackets": Slip("(:types", "; (((\n(:types"),
    "a comment with letters that are not ASCII": Slip("(:types", "; Zürich\n(:types"),
    "a comment before and after all": Slip("(define (domain", ";; a\n;\n(define (domain"),
    "a tabulator and a form feed": Slip("(:types ball", "(:types\t\fball"),
    # requirements
    "no requirements": Slip("(:requirements :strips :typing :negative-preconditions)", "", "3:3 missing-requirement"),
    "requirements that do not cover what is used": Slip(
        ":typing :negative-preconditions", "", "3:3 missing-requirement"
    ),
    "a requirement twice": Slip(":strips", ":strips :strips", "2:26 duplicate-name"),
    "an empty list of requirements": Slip(":strips :typing :negative-preconditions", "", "3:3 missing-requirement"),
    "a requirement that nobody knows": Slip(":strips", ":strips :magic", "2:26 unknown-requirement"),
    "a requirement without a colon": Slip(":strips", "strips", "2:18 unknown-requirement"),
    "requirements in the problem": Slip("(:domain hall)", "(:domain hall) (:requirements :strips :typing)"),
    "a requirement for what is not supported and not used": Slip(
        ":strips", ":strips :timed-initial-literals", "2:26 not-supported"
    ),
    # declarations
    "no types, and none used": Slip("(:types ball room)", "(:types ball room) (:functions)"),
    "a type twice": Slip("ball room)", "ball room ball)", "3:21 duplicate-name"),
    "object as a type": Slip("(:types ball room)", "(:types ball room - object object)"),
    "a supertype that is not declared": Slip("ball room)", "ball room - thing)", "3:11 undeclared-type"),
    "a predicate with a type that is not declared": Slip(
        "(lit ?r - room)", "(lit ?r - chamber)", "5:73 undeclared-type"
    ),
    "a predicate twice alike": Slip("(full)", "(full) (full)", "5:64 duplicate-name"),
    "a predicate twice with other arguments": Slip(
        "(full) (lit", "(full ?r - room) (full) (lit", "5:74 duplicate-name", refused=True
    ),
    "variables of a predicate twice": Slip(
        "(in ?b - ball ?r - room)", "(in ?x - ball ?x - room)", "5:30 duplicate-name"
    ),
    "'=' as a predicate": Slip("(full) (lit", "(= ?x ?y) (full) (lit", "5:57 duplicate-name"),
    "a function twice alike": Slip(
        "(:predicates", "(:functions (cost) (cost))\n(:predicates", "5:16 missing-requirement"
    ),
    "sections in another order": Slip(
        "(:types ball room)\n  (:constants red - ball)", "(:constants red - ball)\n (:types ball room)"
    ),
    "an action twice": Slip("action light", "action go", "14:12 duplicate-name"),
    "an object twice": Slip("attic - room", "attic attic - room", "3:38 duplicate-name"),
    "an object twice with two types": Slip(
        "attic - room", "attic - room attic - ball", "3:45 duplicate-name", refused=True
    ),
    "an object that is a constant": Slip("blue - ball", "blue red - ball", "3:18 duplicate-name"),
    "no objects": Slip("(:objects blue - ball cellar attic - room)", "(:objects)", "4:14 unknown-object", refused=True),
    "a type above itself": Slip("ball room)", "ball - room room - ball)", "3:11 type-cycle", refused=True),
    "a predicate that is a function": Slip(
        "(:predicates", "(:functions (full))\n(:predicates", "5:16 duplicate-name", refused=True
    ),
    # actions
    "a parameter twice": Slip("(?from ?to - room)", "(?from ?to ?to - room)", "7:28 duplicate-name", refused=True),
    "a parameter with a type that is not declared": Slip(
        "(?r - room) :pre", "(?r - chamber) :pre", "14:36 unknown-type", refused=True
    ),
    "a variable of a quantifier without '?'": Slip(
        "(not (at ?to))", "(exists (x - room) (at x))", "8:44 name", refused=True
    ),
    "no space after a dash in a quantifier": Slip(
        "(not (at ?to))", "(exists (?x -room) (at ?x))", "8:47 space-missing", refused=True
    ),
    "no parameters": Slip(
        ":parameters (?r - room) :precondition (at ?r) :effect (lit ?r)", ":effect (full)", "14:12 missing-parameters"
    ),
    "no precondition": Slip(":precondition (at ?r) :effect", ":effect"),
    "an empty precondition": Slip(":precondition (at ?r)", ":precondition ()"),
    "an empty and": Slip(":precondition (at ?r)", ":precondition (and)"),
    "an empty or": Slip(":precondition (at ?r)", ":precondition (or)", "14:56 missing-requirement"),
    "and of one part": Slip(":precondition (at ?r)", ":precondition (and (at ?r))"),
    "an empty effect": Slip(":effect (lit ?r)", ":effect ()"),
    "an effect that is an empty and": Slip(":effect (lit ?r)", ":effect (and)"),
    "no effect": Slip(":effect (lit ?r)", "", "14:12 missing-effect"),
    "two negations": Slip("(not (at ?to))", "(not (not (not (at ?to))))", "8:35 missing-requirement"),
    "a parameter that is not used": Slip(
        ":parameters (?r - room)", ":parameters (?r - room ?b - ball)", "14:41 unused-parameter"
    ),
    "a cost without functions": Slip(
        ":effect (lit ?r)", ":effect (and (lit ?r) (increase (total-cost) 2))", "14:86 missing-requirement"
    ),
    "an effect that is made and ended": Slip(":effect (lit ?r)", ":effect (and (lit ?r) (not (lit ?r)))"),
    # problems
    "a length": Slip("(:goal", "(:length (:serial 3))\n(:goal", "5:3 not-supported"),
    "a metric without functions": Slip("attic))))", "attic)))\n(:metric minimize (total-cost)))"),
    "a fact twice": Slip("(at cellar)", "(at cellar) (at cellar)", "4:22 duplicate-fact"),
    "a denied fact": Slip("(at cellar)", "(at cellar) (not (at attic))", "4:22 denied-fact"),
    "a denied fact twice": Slip("(at cellar)", "(at cellar) (not (at attic)) (not (at attic))", "4:22 denied-fact"),
    "a fact stated and denied": Slip(
        "(at cellar)", "(at cellar) (not (at cellar))", "4:22 contradiction", refused=True
    ),
    "and in the start": Slip("(at cellar) (in blue cellar)", "(and (at cellar) (in blue cellar))", "4:10 denied-fact"),
    "the total cost at the start": Slip("(at cellar)", "(= (total-cost) 0) (at cellar)"),
    "a value twice alike": Slip("(at cellar)", "(= (total-cost) 0) (= (total-cost) 0) (at cellar)"),
    "a value of an unknown function": Slip(
        "(at cellar)", "(= (distance cellar attic) 4) (at cellar)", "4:13 undeclared-function"
    ),
    "another domain": Slip("(:domain hall)", "(:domain house)", "2:12 other-domain"),
    "no domain": Slip("(:domain hall)", "", "1:1 missing-domain"),
    "a goal of one fact": Slip("(and (in blue attic))", "(in blue attic)"),
    "a goal of nothing": Slip("(and (in blue attic))", "(and)"),
    "no goal": Slip("(:goal (and (in blue attic)))", "", "1:1 missing-goal", refused=True),
    "text after the problem": Slip("attic))))", "attic)))) extra", "5:34 outside", refused=True),
    "a bracket too much": Slip("attic))))", "attic)))))", "5:33 bracket", refused=True),
}
