/** Three requests that fit an instruction, by a pattern that occurs in it; the first one counts, the last fits all. */
export type Examples = readonly (readonly [RegExp, string])[]

const quote = (text: string): string => `“${inOneLine(text)}”`
const unchanged = 'I have changed nothing.'
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const examples: Examples = [
  [/^(?:undo|revert|take)\b/i, 'undo that · replace "X" with "Y" · delete "X"'],
  [/\b(?:accept|approve|reject)/i, 'accept all suggestions · reject all suggestions · what suggestions are there?'],
  [/\b(?:suggest|propose)/i, 'suggest replacing "X" with "Y" · suggest deleting "X" · suggest deleting this'],
  [/\b(?:comment|resolve|reply)/i, 'comment on "X": needs a source · what comments are there? · resolve all comments'],
  [/\bsection/i, 'delete the section "X" · delete the last section · add a heading "X"'],
  [/^(?:add|append|insert|paste|prepend|put|type|write)\b/i, 'add "X" at the end · add "X" here · add "X" after "Y"'],
  [/\b(?:heading|title)/i, 'make "X" a heading 2 · add a heading "X" · make this a heading 3'],
  [/\b(?:make|format|bold|italic|underline|strike)/i, 'make "X" bold · remove the bold from "X" · make this italic'],
  [/^(?:delete|remove|drop|cut|erase)\b/i, 'delete "X" · delete the last "X" · delete this'],
  [/^(?:find|show|where|who|what|which|how|go|select|highlight)\b/i, 'find "X" · highlight "X" · outline'],
  [/(?:)/, 'replace "X" with "Y" · change the first "X" to "Y" · delete "X"'],
]

/** The texts of answers in English; those of other languages have the same form. */
export const english = {
  examples,
  someWords: '"some words"',
  otherWords: '"other words"',
  youCanSay: (commands: string) => `You can say: ${commands}`,
  helpStart: 'I am the built-in agent: I work without a model, and understand plain commands like these:',
  helpEnd: 'Select a text, and "this" means it: make this bold, replace this with "Y", comment on this: a text.',
  unchanged,
  stopped: 'I stopped at a limit before I was done. What I changed so far stays; the rest is left.',
  noTool: (tool: string) => {
    const use = tool.includes('comment') ? 'comments' : tool.replaceAll('_', ' ')
    return `I can not do that: this run offers no tool for ${use}. ${unchanged}`
  },
  suggestions: 'These are suggestions: accept or reject them in the text.',
  mostPlaces: (most: number) => `I change at most ${most} places at a time; repeat it to continue.`,
  /** What a tool said of a failed call; `code` is its error code. */
  problem: (sentence: string, _code: string) => sentence,
  /** What a tool said of a call that changed nothing, or that a person has changed before approval. */
  otherwise: (sentence: string) => sentence,
  notDone: (problem: string) => `Not done: ${problem}`,
  notChanged: (problem: string) => `Not changed: ${problem}`,
  // Why a request is declined.
  notUnderstood: (said: string) => `I did not understand ${quote(said)}.`,
  whichText: (said: string) => `I do not know which text ${quote(said)} is: select it, or quote its words.`,
  whatToWrite: (said: string) => `I am not sure what to write: ${quote(said)} says more than that, or is no text.`,
  whichPlace: (said: string) => `I do not know the place ${quote(said)}.`,
  onlyQuoted: 'I add only a text that you quote, at a place that you name.',
  whatComment: 'What should the comment say?',
  commentOnWhat: 'On what? Select it, or quote the words.',
  oneComment: 'I comment on one place at a time.',
  allSuggestions: (accept: boolean) =>
    `I ${accept ? 'accept' : 'reject'} all suggestions at once if you say so; a single one you decide in the text.`,
  // Why nothing is done after a look into the document.
  notFound: (text: string) => `I did not find ${quote(text)}: give it exactly as it is written. ${unchanged}`,
  notAllSeen: (total: number, text: string) => `I can not see all ${total} places of ${quote(text)}. ${unchanged}`,
  onlyPart: (text: string) => `${quote(text)} is only a part of other words here. Quote it to mean that. ${unchanged}`,
  several: (text: string, count: number) =>
    `${quote(text)} is there ${count} times: say “the first” or “the last”, or quote more words. ${unchanged}`,
  partOfBlock: (text: string) => `${quote(text)} is only a part of its block. Quote the whole line that it shall be.`,
  noSection: (title: string) => `There is no section ${quote(title)}. ${unchanged}`,
  severalSections: (title: string) => `Several sections are called ${quote(title)}. ${unchanged}`,
  nothingToUndo: 'There is nothing of mine to undo.',
  noComments: 'There are no comments.',
  noSuggestions: 'There are no suggestions.',
  noOpenComments: (on: string) => `There are no open comments${on && ` on ${quote(on)}`}.`,
  whichComment: (count: number, on: string) =>
    `There are ${count} open comments${on && ` on ${quote(on)}`}. Say which, by the text that it is on.`,
  // What was done.
  added: (text: string) => `added ${quote(text)}`,
  deleted: (text: string) => `deleted ${quote(text)}`,
  deletedSection: (title: string) => `deleted the section ${quote(title)}`,
  undid: (request: string) => `undid what you asked with ${quote(request)}`,
  formatted: (text: string, format: string, remove: boolean) =>
    `made ${quote(text)} ${remove ? 'not ' : ''}${formats[format] ?? format}`,
  decided: (accept: boolean) => `${accept ? 'accept' : 'reject'}ed all suggestions`,
  suggestedDeletion: (text: string) => `suggested deleting ${quote(text)}`,
  suggestedReplacement: (text: string, by: string) => `suggested ${quote(text)} → ${quote(by)}`,
  resolved: 'resolved the comment',
  replied: (text: string) => `replied ${quote(text)}`,
  commented: (text: string) => `commented on ${quote(text)}`,
  highlighted: (text: string) => `highlighted ${quote(text)}`,
  // Answers to questions.
  thread: (on: string, comments: readonly { author: string; text: string }[]) =>
    `on ${quote(on)}: ${comments.map(({ author, text }) => `${author}: ${quote(text)}`).join(' · ')}`,
  suggestion: (author: string, text: string, isFormatting: boolean) =>
    `${author}: ${isFormatting ? 'formats ' : ''}${text}`,
  more: (line: string) => line,
  line: quote,
  wordCount: (words: number) => `The document has ${counted(words, 'word')}.`,
  occurs: (text: string, count: number) =>
    count === 0 ? `${quote(text)} does not occur in the document` : `${quote(text)} occurs ${counted(count, 'time')}`,
  emptyDocument: 'The document is empty.',
  size: (blocks: number, words: number, headings: number) =>
    `${counted(blocks, 'block')}, ${counted(words, 'word')}, ${counted(headings, 'heading')}`,
}

const formats: Readonly<Record<string, string>> = {
  strike: 'strikethrough',
  underline: 'underlined',
  highlight: 'highlighted',
  codeBlock: 'a code block',
  blockquote: 'a quote',
  orderedList: 'a numbered list',
  taskList: 'a task list',
  bulletList: 'a list',
  heading: 'a heading',
  paragraph: 'a paragraph',
  link: 'a link',
}

/** The texts of answers in a language. */
export type Texts = typeof english

/** The first 60 characters of a text on one line. */
export function inOneLine(text: string): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim(), 60)
}

/** The first `length` characters of a text, with a sign if it is longer. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
