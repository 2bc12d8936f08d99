% Semantic rules over the conjuncts of a goal, checked in one query.
%
% A rule is the body of a clause that binds Culprits. It may call the four relations below, comparison, arithmetic,
% list and graph predicates, nothing else: a world is data, and data opens no files and starts no programs.

:- module(graftwork_rules, [define/3, describe/1, violations/5]).

:- use_module(library(lists)).
:- use_module(library(time)).
:- use_module(library(ugraphs), except([transitive_closure/2])).
:- use_module(library(ordsets)).

:- dynamic violated/3, growing/2, scene_thing/2, scene_affords/2.

% holds(?Predicate, ?Args): the conjunct at hand asks for this atom.
holds(Predicate, Args) :- b_getval(graftwork_holds, Groups), stated(Predicate, Args, Groups).

% fails(?Predicate, ?Args): the conjunct at hand asks for this atom not to hold.
fails(Predicate, Args) :- b_getval(graftwork_fails, Groups), stated(Predicate, Args, Groups).

stated(Predicate, Args, Groups) :- nonvar(Predicate), !, memberchk(Predicate-All, Groups), member(Args, All).
stated(Predicate, Args, Groups) :- member(Predicate-All, Groups), member(Args, All).

% thing(?Name, ?Class): an object of the scene.
thing(Name, Class) :- scene_thing(Name, Class).

% affords(?Name, ?Affordance): what an object of the scene is good for.
affords(Name, Affordance) :- scene_affords(Name, Affordance).

% transitive_closure(+Graph, -Closure): as in library(ugraphs), at once where no edge leads on to another.
transitive_closure(Graph, Graph) :- flat(Graph), !.
transitive_closure(Graph, Closure) :- ugraphs:transitive_closure(Graph, Closure).

flat(Graph) :-
    findall(From, member(From-[_|_], Graph), Sources),
    \+ ( member(_-Targets, Graph), ord_intersect(Targets, Sources) ).

% define(+Book, +Rules, -Problems): take rule(Number, Text) terms; Problems holds [Number, Reason] for each that cannot be.
define(Book, Rules, Problems) :-
    retractall(violated(Book, _, _)),
    retractall(growing(Book, _)),
    findall([Name, Reason], (member(rule(Name, Text), Rules), \+ taken(Book, Name, Text, Reason), bad(Text, Reason)), Problems).

taken(Book, Name, Text, _) :-
    catch((body(Text, Body, Culprits), permitted(Body)), _, fail),
    assertz((violated(Book, Name, Culprits) :- Body)),
    (   grows(Body) -> assertz(growing(Book, Name)) ; true ).

% grows(+Body): with more literals it has no fewer solutions, because it neither cuts nor denies nor collects.
grows(Goal) :- Goal \= !, ( inner(Goal, Goals) -> functor(Goal, Name, 2), memberchk(Name, [',', ;]), maplist(grows, Goals) ; true ).

body(Text, Body, Culprits) :-
    term_string(Body, Text, [variable_names(Names), module(graftwork_rules)]),
    (   memberchk('Culprits' = Culprits, Names) -> true ; throw(no_culprits) ).

bad(Text, Reason) :-
    catch((body(Text, Body, _), permitted(Body), Reason = 'cannot be taken'), Error, reason(Error, Reason)).

reason(no_culprits, 'it does not bind Culprits') :- !.
reason(not_permitted(What), Reason) :- !, format(atom(Reason), 'rules may not call ~w', [What]).
reason(error(syntax_error(What), _), Reason) :- !, format(atom(Reason), 'syntax error: ~w', [What]).
reason(error(Formal, _), Reason) :- !, format(atom(Reason), '~p', [Formal]).
reason(Error, Reason) :- format(atom(Reason), '~p', [Error]).

% permitted(+Body): succeeds, or throws not_permitted(What).
permitted(Goal) :- var(Goal), !, throw(not_permitted('a variable')).
permitted(Goal) :- inner(Goal, Goals), !, forall(member(Inner, Goals), permitted(Inner)).
permitted(Goal) :- functor(Goal, Name, Arity), known(Name, Arity), !.
permitted(Goal) :- functor(Goal, Name, Arity), throw(not_permitted(Name/Arity)).

inner((A, B), [A, B]).
inner((A ; B), [A, B]).
inner((A -> B), [A, B]).
inner(\+ A, [A]).
inner(once(A), [A]).
inner(forall(A, B), [A, B]).
inner(findall(_, A, _), [A]).

known(holds, 2).
known(fails, 2).
known(thing, 2).
known(affords, 2).
known(Name, Arity) :-
    memberchk(Name/Arity, [
        true/0, fail/0, false/0, !/0, (=)/2, (\=)/2, (==)/2, (\==)/2, (@<)/2, (@>)/2, (@=<)/2, (@>=)/2,
        (<)/2, (>)/2, (=<)/2, (>=)/2, (=:=)/2, (=\=)/2, (is)/2, between/3, dif/2, var/1, nonvar/1, atom/1,
        member/2, memberchk/2, length/2, append/3, nth0/3, nth1/3, last/2, reverse/2, select/3, sort/2, msort/2,
        list_to_set/2, subtract/3, intersection/3, union/3, vertices_edges_to_ugraph/3, transitive_closure/2,
        reachable/3, edges/2, vertices/2, neighbours/3
    ]).

% describe(+Facts): replace the scene; Facts holds thing(Name, Class) and affords(Name, Affordance).
describe(Facts) :-
    retractall(scene_thing(_, _)),
    retractall(scene_affords(_, _)),
    forall(member(thing(Name, Class), Facts), assertz(scene_thing(Name, Class))),
    forall(member(affords(Name, Affordance), Facts), assertz(scene_affords(Name, Affordance))).

% violations(+Book, +Conjuncts, +Union, +Seconds, -Answer): a conjunct is Holds-Fails, each a list of Predicate-Arguments
% with all Arguments lists of that predicate; Union joins them. Answer is [found, Rows] with rows
% [Index, Rule, Culprits], or [broken, Rule, Reason].
violations(Book, Conjuncts, Union, Seconds, Answer) :-
    nb_setval(graftwork_rule, none),
    catch(
        ( call_with_time_limit(Seconds, rows(Book, Conjuncts, Union, Rows)), Answer = [found, Rows] ),
        Error,
        ( nb_getval(graftwork_rule, Rule), reason(Error, Reason), Answer = [broken, Rule, Reason] )
    ).

rows(Book, Conjuncts, Union, Rows) :-
    findall(Name, (clause(violated(Book, Name, _), _), nb_setval(graftwork_rule, Name), \+ idle(Book, Name, Union)), Names),
    findall([Index, Name, Culprits], (
        nth0(Index, Conjuncts, Conjunct),
        consider(Conjunct),
        member(Name, Names),
        nb_setval(graftwork_rule, Name),
        violated(Book, Name, Culprits),
        named(Culprits)
    ), Rows).

% idle(+Book, +Name, +Union): the rule can be broken by no conjunct, as all of them together do not break it.
idle(Book, Name, Union) :-
    growing(Book, Name),
    consider(Union),
    catch(\+ violated(Book, Name, _), error(_, _), fail).

consider(Holds-Fails) :-
    b_setval(graftwork_holds, Holds),
    b_setval(graftwork_fails, Fails).

named(Culprits) :- is_list(Culprits), forall(member(Culprit, Culprits), atom(Culprit)), !.
named(_) :- throw('Culprits is not a list of names').
