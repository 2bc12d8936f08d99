% Semantic rules over the conjuncts of a goal, checked in one query.
%
% A rule is the body of a clause that binds Culprits. It may call the four relations below, comparison, arithmetic,
% list and graph predicates, and what a pack defines out of these; nothing else: a world is data, and data opens no
% files and starts no programs. What a pack defines is kept under a name of its own book, so that it stands for nothing
% else.

:- module(graftwork_rules, [define/5, describe/1, forget/1, notes_to/1, violations/5]).

:- use_module(library(lists)).
:- use_module(library(time)).
:- use_module(library(ugraphs), except([transitive_closure/2])).
:- use_module(library(ordsets)).

% A rule that collects without end is stopped here, before the machine is short of memory.
:- set_prolog_flag(stack_limit, 134217728).

:- redefine_system_predicate(between(_, _, _)).
:- redefine_system_predicate(length(_, _)).

:- dynamic violated/3, growing/2, pack_clause/2, scene_thing/2, scene_affords/2.

% between(+Low, +High, ?Number): as the system's, but in Prolog, so that a time limit can end a search through it.
between(Low, High, Number) :- integer(Number), !, Number >= Low, below(Number, High).
between(Low, High, Number) :- must_be(integer, Low), below(Low, High), counted(Low, High, Number).

counted(Low, _, Low).
counted(Low, High, Number) :- Next is Low + 1, below(Next, High), counted(Next, High, Number).

below(_, High) :- High == inf, !.
below(Low, High) :- Low =< High.

% length(?List, ?Length): likewise.
length(List, Length) :- ( is_list(List) ; integer(Length) ), !, system:length(List, Length).
length(List, Length) :- counted(0, inf, Length), system:length(List, Length).

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

% notes_to(+File): write the number of each rule there before it is looked at, so that the one that ends this process is
% known.
notes_to(File) :- open(File, append, Stream, [buffer(line)]), nb_setval(graftwork_notes, Stream).

noted(Name) :-
    nb_setval(graftwork_rule, Name),
    nb_getval(graftwork_notes, Stream),
    format(Stream, 'rule ~w~n', [Name]).

% define(+Book, +Packs, +Rules, +Seconds, -Problems): take texts of clauses and rule(Number, Text) terms; Problems holds
% [Number, Reason] for each that cannot be taken, where packs have the number none.
define(Book, Packs, Rules, Seconds, Problems) :-
    noted(none),
    catch(call_with_time_limit(Seconds, defined(Book, Packs, Rules, Problems)), Error, true),
    (   var(Error)
    ->  true
    ;   nb_getval(graftwork_rule, Name), reason(Error, Reason), Problems = [[Name, Reason]]
    ).

defined(Book, Packs, Rules, Problems) :-
    packed(Book, Packs, Defined),
    findall([Name, Reason], (
        member(rule(Name, Text), Rules), noted(Name), \+ taken(Book, Name, Text, Defined), bad(Book, Text, Defined, Reason)
    ), Problems).

% forget(+Book): take back what define has taken.
forget(Book) :-
    retractall(violated(Book, _, _)),
    retractall(growing(Book, _)),
    forall(retract(pack_clause(Book, Reference)), erase(Reference)).

packed(Book, Packs, Defined) :-
    clauses(Packs, Clauses),
    findall(Name/Arity, (member(Head-_, Clauses), functor(Head, Name, Arity)), All),
    sort(All, Defined),
    forall(member(Signature, Defined), declared(Book, Signature)),
    forall(member(Clause, Clauses), kept(Book, Clause, Defined)).

declared(Book, Name/Arity) :- functor(Head, Name, Arity), of_book(Head, Book, Kept), functor(Kept, Own, _), dynamic(Own/Arity).

taken(Book, Name, Text, Defined) :-
    catch((body(Text, Body, Culprits), permitted(Body, Book, Defined, Safe)), Error, (fatal(Error), fail)),
    assertz((violated(Book, Name, Culprits) :- Safe)),
    (   grows(Safe) -> assertz(growing(Book, Name)) ; true ).

% grows(+Body): with more literals it has no fewer solutions, because it neither cuts nor denies nor collects.
grows(Goal) :- Goal == !, !, fail.
grows(Goal) :- inner(Goal, Goals, _, _), !, functor(Goal, Name, 2), memberchk(Name, [',', ;]), maplist(grows, Goals).
grows(Goal) :- functor(Goal, Name, _), \+ sub_atom(Name, 0, _, _, 'pack ').

% clauses(+Texts, -Clauses): read Head-Body pairs.
clauses(Texts, Clauses) :- findall(Clause, (member(Text, Texts), read_clause(Text, Clause)), Clauses).

read_clause(Text, Clause) :-
    setup_call_cleanup(
        open_string(Text, Stream),
        (   repeat,
            read_term(Stream, Term, [module(graftwork_rules)]),
            ( Term == end_of_file -> !, fail ; clause_of(Term, Clause) )
        ),
        close(Stream)
    ).

clause_of(Term, _) :- var(Term), throw(not_permitted('a variable')).
clause_of((:- _), _) :- throw(not_permitted('a directive')).
clause_of((?- _), _) :- throw(not_permitted('a query')).
clause_of((_ --> _), _) :- throw(not_permitted('a grammar')).
clause_of((Head :- Body), Head-Body) :- !, is_head(Head).
clause_of(Head, Head-true) :- is_head(Head).

is_head(Head) :-
    callable(Head), functor(Head, Name, Arity), \+ known(Name, Arity), \+ inner(Head, _, _, _), Name \== (:), !.
is_head(_) :- throw(not_permitted('a head that is there already')).

kept(Book, Head-Body, Defined) :-
    permitted(Body, Book, Defined, Safe),
    of_book(Head, Book, Kept),
    assertz((Kept :- Safe), Reference),
    assertz(pack_clause(Book, Reference)).

% of_book(+Goal, +Book, -Kept): the same under the name that this book keeps it by.
of_book(Goal, Book, Kept) :-
    Goal =.. [Name | Args],
    atomic_list_concat([pack, Book, Name], ' ', Own),
    Kept =.. [Own | Args].

body(Text, Body, Culprits) :-
    term_string(Body, Text, [variable_names(Names), module(graftwork_rules)]),
    (   memberchk('Culprits' = Culprits, Names) -> true ; throw(no_culprits) ).

bad(Book, Text, Defined, Reason) :-
    catch(
        ( body(Text, Body, _), permitted(Body, Book, Defined, _), Reason = 'cannot be taken' ),
        Error,
        ( fatal(Error), reason(Error, Reason) )
    ).

% fatal(+Error): pass on the end of the time, which is no error of what was done just then.
fatal(Error) :- ( Error == time_limit_exceeded -> throw(Error) ; true ).

reason(time_limit_exceeded, 'it takes too long') :- !.
reason(too_much, 'it has too many answers, or too long ones') :- !.
reason(error(resource_error(_), _), 'it needs too much memory') :- !.
reason(no_culprits, 'it does not bind Culprits') :- !.
reason(not_permitted(What), Reason) :- !, format(atom(Reason), 'rules may not call ~w', [What]).
reason(error(syntax_error(What), _), Reason) :- !, format(atom(Reason), 'syntax error: ~w', [What]).
reason(error(Formal, _), Reason) :- !, written(Formal, Reason).
reason(Error, Reason) :- written(Error, Reason).

% written(+Term, -Text): a term may be large, and may be a part of itself.
written(Term, Text) :-
    format(atom(Text), '~W', [Term, [quoted(true), numbervars(true), cycles(true), max_depth(20)]]).

% permitted(+Body, +Book, +Defined, -Safe): the body with what its pack defines under its own name; or an exception
% not_permitted(What).
permitted(Goal, _, _, _) :- var(Goal), !, throw(not_permitted('a variable')).
permitted(Goal, Book, Defined, Safe) :-
    inner(Goal, Goals, Others, Safe), !, permitted_all(Goals, Book, Defined, Others).
permitted(Goal, _, _, Goal) :- calculation(Goal, Parts), !, forall(member(Part, Parts), plain(Part)).
permitted(Goal, _, _, Goal) :- functor(Goal, Name, Arity), known(Name, Arity), !.
permitted(Goal, Book, Defined, Kept) :-
    functor(Goal, Name, Arity), memberchk(Name/Arity, Defined), !, of_book(Goal, Book, Kept).
permitted(Goal, _, _, _) :- functor(Goal, Name, Arity), throw(not_permitted(Name/Arity)).

permitted_all([], _, _, []).
permitted_all([Goal | Goals], Book, Defined, [Safe | Others]) :-
    permitted(Goal, Book, Defined, Safe),
    permitted_all(Goals, Book, Defined, Others).

% calculation(+Goal, -Expressions): what is worked out when Goal is called; powers could take all day.
calculation(_ is A, [A]).
calculation(Goal, [A, B]) :- Goal =.. [Name, A, B], memberchk(Name, [<, >, =<, >=, =:=, =\=]).

plain(Expression) :- ( var(Expression) ; atomic(Expression) ), !.
plain(Expression) :- Expression =.. [Name | Parts], memberchk(Name, [+, -, *, mod, rem]), !, forall(member(Part, Parts), plain(Part)).
plain(Expression) :- functor(Expression, Name, Arity), throw(not_permitted(Name/Arity)).

% inner(+Goal, -Goals, -Others, -Made): the goals in a goal, and that goal made of others.
inner((A, B), [A, B], [C, D], (C, D)).
inner((A ; B), [A, B], [C, D], (C ; D)).
inner((A -> B), [A, B], [C, D], (C -> D)).
inner(\+ A, [A], [C], \+ C).
inner(once(A), [A], [C], once(C)).
inner(forall(A, B), [A, B], [C, D], forall(C, D)).
inner(findall(T, A, L), [A], [C], findall(T, C, L)).

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
    noted(none),
    nb_setval(graftwork_room, 1000000),
    catch(
        ( call_with_time_limit(Seconds, rows(Book, Conjuncts, Union, Rows)), Answer = [found, Rows] ),
        Error,
        ( nb_getval(graftwork_rule, Rule), reason(Error, Reason), Answer = [broken, Rule, Reason] )
    ).

% The rules are the outer loop, so that each is noted once.
rows(Book, Conjuncts, Union, Rows) :-
    findall(Name, (clause(violated(Book, Name, _), _), noted(Name), \+ idle(Book, Name, Union)), Names),
    findall([Index, Name, Culprits], (
        member(Name, Names),
        noted(Name),
        nth0(Index, Conjuncts, Conjunct),
        consider(Conjunct),
        violated(Book, Name, Culprits),
        named(Culprits, Size),
        spend(Size)
    ), Rows).

% idle(+Book, +Name, +Union): the rule can be broken by no conjunct, as all of them together do not break it.
idle(Book, Name, Union) :-
    growing(Book, Name),
    consider(Union),
    catch(\+ violated(Book, Name, _), error(_, _), fail).

consider(Holds-Fails) :-
    b_setval(graftwork_holds, Holds),
    b_setval(graftwork_fails, Fails).

% named(+Culprits, -Size): a list of names, and its size in characters.
named(Culprits, Size) :- is_list(Culprits), sized(Culprits, 50, Size), !.
named(_, _) :- throw('Culprits is not a list of names').

sized([], Size, Size).
sized([Name | Names], Before, Size) :-
    atom(Name), Name \== [],
    atom_length(Name, Length),
    Now is Before + Length + 10,
    sized(Names, Now, Size).

% spend(+Size): an answer of at most a million characters, or of 20,000 rows, is taken.
spend(Size) :-
    nb_getval(graftwork_room, Room),
    Left is Room - Size,
    (   Left < 0 -> throw(too_much) ; nb_setval(graftwork_room, Left) ).
