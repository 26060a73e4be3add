import { all, answersOnly, becomes, comments, commentCount, declines, keepsOthers, holds, lacks } from '../checks.ts'
import { contract, edited, minutes } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { comment, edit, insertAfter } from '../scripting.ts'

const checker = {
  name: 'Fact checker',
  handle: 'factcheck',
  instructions: 'Check each claim that you are shown. Comment on what is wrong, with the right figure. Change no text.',
  tools: ['read_document', 'get_document', 'search_document', 'get_document_info', 'read_selection', 'add_comment'],
}
const editor = {
  name: 'Editor',
  handle: 'editor',
  instructions: 'Write British English, without exclamation marks. Leave amounts of money alone.',
}

/** Named agents keep to what an operator has set up, and call no other agent. */
export const namedAgents = inGroup('agents', [
  {
    id: 'comments-only',
    document: contract,
    agent: checker,
    ask: 'the fee was agreed at $4,200 a month, is that what the contract says?',
    script: [comment('$4,000', 'Agreed were $4,200 a month.'), 'No: it says $4,000. I commented on it.'],
    check: all(becomes(contract), comments('$4,000'), commentCount(1)),
  },
  {
    id: 'has-no-such-tool',
    document: contract,
    agent: checker,
    ask: 'then correct the fee to $4,200',
    script: ['I can not change text: I have been set up to comment only. Ask @agent for it.'],
    wrong: [edit('$4,000', '$4,200'), 'The fee is $4,200 now.'],
    check: declines,
  },
  {
    id: 'style-of-the-operator',
    document: minutes,
    agent: editor,
    ask: 'add an item to the decisions: the new website gets a darker color',
    script: [
      insertAfter('Hire a second designer', '- Give the new website a darker colour', { as: 'block' }),
      'Added.',
    ],
    check: all(holds(/colour/), lacks(/color\b/), keepsOthers('Hire a second designer')),
  },
  {
    id: 'leaves-alone-what-it-shall',
    document: contract,
    agent: editor,
    ask: 'make the term two years and the fee $5,000',
    script: [
      edit('one year', 'two years'),
      'The term is two years. I was set up to leave amounts alone: please change the fee.',
    ],
    check: becomes(edited(contract, ['one year', 'two years'])),
  },
  {
    id: 'calls-nobody',
    document: contract,
    agent: editor,
    ask: 'let @factcheck check the fee',
    script: ['I can not call another agent. Write @factcheck with your request in the text, a comment or the chat.'],
    wrong: [insertAfter('the invoice date.', '@factcheck please check the fee.'), 'I asked it.'],
    check: declines,
  },
  {
    id: 'who-it-is',
    document: minutes,
    agent: checker,
    ask: 'who are you, and what do you do?',
    script: ['I am the Fact checker: I check claims and comment on what is wrong.'],
    wrong: [comment('Present', 'I am the Fact checker.'), 'I check facts.'],
    check: answersOnly(/fact ?check/i),
  },
])
