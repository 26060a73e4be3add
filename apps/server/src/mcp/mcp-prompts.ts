import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

type Argument = { name: string; description: string; required: boolean }
type Job = { title: string; description: string; arguments?: readonly Argument[]; task: string }

const documentArgument: Argument = {
  name: 'document',
  description: 'The id or the title of the document',
  required: true,
}
const focus: Argument = {
  name: 'focus',
  description: 'What to look at first, such as tone or figures',
  required: false,
}
const language: Argument = { name: 'language', description: 'The language to translate to', required: true }

const jobs: Readonly<Record<string, Job>> = {
  review: {
    title: 'Review',
    description: 'Comments on what is unclear, wrong or missing; the text stays as it is.',
    arguments: [focus],
    task: 'Read all of it, then leave one comment at the exact words for each point that is unclear, wrong, contradictory or missing. Change nothing. End with the three most important points.',
  },
  summarize: {
    title: 'Summarize',
    description: 'Says what a document is about, here and not in the document.',
    task: 'Read all of it and summarize it in at most eight sentences. Change nothing in the document.',
  },
  fix_typos: {
    title: 'Fix typos',
    description: 'Corrects spelling, grammar and punctuation, and nothing else.',
    task: 'Read all of it and correct spelling, grammar and punctuation with the smallest possible edits. Leave wording, tone and formatting as they are.',
  },
  suggest_improvements: {
    title: 'Suggest improvements',
    description: 'Suggested changes that people accept or reject one by one.',
    arguments: [focus],
    task: 'Read all of it and suggest clearer wording with suggest_replacement where a sentence is hard to read. People accept or reject each suggestion.',
  },
  answer_comments: {
    title: 'Answer comments',
    description: 'Replies to open comments, and edits where a comment asks for it.',
    task: 'Read the open comments with read_comments. Reply to each; where one asks for a change, make it first. Resolve none.',
  },
  translate: {
    title: 'Translate',
    description: 'A translated copy as a new document.',
    arguments: [language],
    task: 'Read all of it, translate it, keep the formatting, and create a new document with the translation. Change nothing in this one.',
  },
}

export function listPrompts() {
  return {
    prompts: Object.entries(jobs).map(([name, job]) => ({
      name,
      title: job.title,
      description: job.description,
      arguments: [documentArgument, ...(job.arguments ?? [])],
    })),
  }
}

/** One prompt with its arguments filled in. @throws ProtocolError for an unknown prompt or a missing argument. */
export function getPrompt(name: string, given: Readonly<Record<string, string>> = {}) {
  const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined
  if (!job) throw invalid(`There is no prompt ${JSON.stringify(name)}.`)
  const taken = [documentArgument, ...(job.arguments ?? [])]
  const missing = taken.find((each) => each.required && !given[each.name]?.trim())
  if (missing) throw invalid(`${missing.name}: ${missing.description}.`)
  const values = taken.flatMap((each) => (given[each.name] ? [`${each.name}: ${given[each.name]}`] : []))
  const text = `Work in a document on the Copydesk server.\n${values.join('\n')}\n\n${job.task} Close the document when you are done, and say what you did.`
  return {
    description: job.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
