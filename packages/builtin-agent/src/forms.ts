import { quotedPattern } from './phrase.ts'

const quoted = `(?<quoted>${quotedPattern})`
const arrow = '(->|→|=>)'
const drop = '(delete|remove|erase|drop|cut|get rid of|take out)'
const dropSection = `${drop} (the )?(whole |entire )?`
const make = '(make|turn|set|format|convert)'
const as = '(into |as |to |in )?(an? )?'
const format =
  '(?<format>bold|italics?|(inline )?code|strikethrough|underlined?|highlight(ed|ing)?|(block)?quote|code block|' +
  '(normal )?paragraph|((bullet(ed)?|numbered|ordered|task|check) ?)?list|(sub)?heading|title)( ?(of )?(level )?(?<level>[1-6]))?'
const verb = '(?<verb>append|prepend|add|insert|write|put|type|paste)'
const a = '( (an?|the))?( new)?'
const noun = `(${a} (?<noun>paragraph|line|sentence|text|word|phrase|(list )?item|bullet)( (saying|that says|with))?)?`
const heading = `(${verb}|create)${a} (?<heading>title|(sub)?heading)( (of )?level (?<level>[1-6]))?`
const asked =
  '((what|which|are there|show|list|read|summari[sz]e|give|tell|see)( (me|us|are|is|the|all|any|of|about))*|any)'
const here = '( (are|is|there|here|open|in|on|of|this|the|document|text|page))*'
const state = '(?<state>open|unresolved|resolved)'
const changes = '(?<changes>((suggested|tracked) )?(change|suggestion|edit)s?)'
const suggest = '(suggest|propose)( that (we|you)| to)?'
const comment = '((leave|make|put|write|add) )?(an? |the )?comment'
const on = '(on|at|about|to|for|beside|next to)'
const whole = '( (are|is|does|there|here|of|in|it|this|the|document|text|page|have))*'
const part = '(section|heading|part|chapter)'

/**
 * The language of the agent: the name of a command and a form of its sentence; the first form that matches a whole
 * sentence counts. A form is a regular expression with the parts `{target}` (a text), `{passage}` (a text that stays as
 * it is), `{new}` (what replaces a text), `{place}`, `{said}` (a text verbatim) and `{plain}` (any words).
 */
export const forms = String.raw`
listComments  ${asked}( ${state})? comments?${here}
listComments  (${state} )?comments
listChanges   ${asked}( open)? ${changes}${here}
decide        (?<verb>accept|approve|reject)(?<all>( (all|everything|every|each|the|of|my|these|them))*)( open)?( ${changes})?( (in|of) (this|the) (document|text))?
suggestInsert ${suggest} (add|insert)(ing)? ${quoted} {place}
suggest       ${suggest} (replac|chang|renam)(e|ing)? {target} (with|by|to|into|for|as|${arrow}) ?{new}
suggest       ${suggest} (delet|remov|cutt?|dropp?)(e|ing)? {target}
suggest       ${suggest} {new} (instead of|in place of|rather than) {target}
suggest       ${suggest} ${quoted} (instead of|in place of|for) {target}
resolve       (resolve|close)(?<all> all| every)?( (of|the|open))* (?<noun>comment|thread)(?<many>s)?( (on|about) {passage})?
reply         (reply|answer|respond)( to)?( (the|this))? (comment|thread)( (on|about) {passage})?( saying |: ?| with (?=\uE000))(that )?{said}
comment       ${comment} ?(saying |that says |: ?)?${quoted} ${on} {passage}
comment       ${comment} ${on} (?<passage>[^:]+?) (saying|that says)( that)? {said}
comment       ${comment} ${on} {passage}: ?{said}
comment       ${comment} ${on} {passage}:?
comment       ${comment}( here)?( (saying|that says|that) |: ?| (?=\uE000)){said}
comment       ${comment}( here)?
unformat      ${make} {target} (not|no longer) ${format}
unformat      (remove|take away|clear|delete) (the )?${format}s? (from|of|on) {target}
format        (?<format>highlight) {target} (permanently|for good|in the text)
format        ${make} (?!an? \S+$){target} ${as}${format}
format        put (?<target>${quotedPattern}) in (an? )?${format}( block)?
format        (?<format>bold|italici[sz]e|underline|strike( through| out)?|cross out) {target}
link          (link|make|turn) {target} (into |to )?((be )?an? link to )?(?<plain>(https?://|mailto:)\S+)
highlight     highlight {passage}( (in|with) (?<color>yellow|green|blue|pink|orange))?
point         ((scroll|go|jump)( (down|up|back))? to|take me to|(?<select>select))( (the )?${part}( called)?)? {passage}( ${part})?
help          ((help|\?|what can you do|who are you|how do you work|commands|hello|hi|hey)( .*)?)?
outline       ((give|show|tell) (me |us )?)?(an? |the )?(summari[sz]e|outline|summary|tl;?dr|overview)${whole}
outline       what( is|'s) (this|the) ((document|text|page) )?about
countWords    (how (many words|long)|word ?count|count (the )?words?)${whole}
find          (?<count>how (many times|often) (does|do|is|has)|count( the)?( occurrences of)?) {passage}( (occurs?|appears?|used))?
read          (read|show)( me)?( (the|this|whole|entire))* (document|text|page|it|all)|read
find          (find|search( for)?|look for|locate|where (is|are|does it say)|show me) (?!and ){passage}
dropSection   ${dropSection}(?<ordinal>last|first|second|third|fourth|fifth) section
dropSection   ${dropSection}section( number)? (?<index>\d{1,4})
dropSection   ${dropSection}section( (called|named|titled))? {plain}
dropSection   ${dropSection}(?!(this|that|next) ){plain} section
replace       (use|write|put) {new} (instead of|in place of|rather than) {target}
replace       (replace|change) {target} (with|by|to): {said}
replace       replace {target} (with|by|to|${arrow}) ?{new}
replace       (change|rename|fix|correct) {target} ?( to| into| with| as|${arrow}) ?{new}
replace       {target} ?${arrow} ?{new}
fixTypos      (fix|correct)( (all|the|a))* (typo|spelling|misspelling)s?( mistakes?| errors?)?( in the (document|text)| everywhere)?
correct       (fix|correct)( the (typo|spelling|misspelling)( of| in)?)? {target}
replace       ${drop} {target}
insert        ${heading}( called| named| saying)?:? ${quoted}( (of )?level (?<deep>[1-6]))?( {place})?
insert        ${heading}( {place})?: {said}
insert        ${verb}${noun}:? ${quoted}( {place})?
insert        ${verb}${noun}( {place})?: {said}
undo          (undo|revert|take back)( (that|this|it|all|everything|your|the|last|latest|changes?|edits?|again))*|take (that|it) back
unsaid        ${verb}( .*)?
`
  .trim()
  .split('\n')
  .map((line): [name: string, form: RegExp] => {
    const form = line.slice(14).replaceAll(/\{([a-z]+)\}/g, '(?<$1>.+?)')
    return [line.slice(0, 14).trim(), new RegExp(`^(?:${form})$`, 'i')]
  })
