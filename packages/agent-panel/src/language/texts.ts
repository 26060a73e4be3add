/**
 * The texts of the panel in English. Functions get the values of a text, so that each language can order and count
 * them.
 */
export const englishTexts = {
  agent: 'Agent',
  you: 'You',
  closePanel: 'Close panel',

  newChat: 'New chat',
  earlierChats: 'Earlier chats',
  /** For screen readers, after the title of the current chat. */
  opensEarlierChats: 'earlier chats',
  chats: 'Chats',
  showOlderChats: 'Show older chats',
  chatIsWorking: 'Working',
  conversation: 'Conversation',

  /** The label of the message box. */
  messageTo: (agent: string) => `Message ${agent}`,
  send: 'Send',
  /** The tip of a button that the key Enter also presses. */
  withEnter: (label: string) => `${label} (Enter)`,
  notSent: 'It couldn’t be sent. Try again.',
  suggestedRequests: 'Suggested requests',
  selectedText: 'Selected text',
  quoted: (text: string) => `“${text}”`,
  words: (count: number) => `${count} ${count === 1 ? 'word' : 'words'}`,
  /** For screen readers, after the number of words. */
  selected: 'selected',
  clearSelection: 'Clear the selection',
  modeLegend: 'What the agent does with its changes',

  writing: 'Writing…',
  thinking: 'Thinking…',
  working: 'Working…',
  done: 'Done',
  failed: 'Failed',
  stopped: 'Stopped',
  stop: 'Stop',
  tryAgain: 'Try again',
  noAnswer: 'There was no answer. Try again.',
  answerIncomplete: 'Wait until the answer is complete, or stop it.',
  notLoaded: 'The rest couldn’t be loaded. Reload the page.',
  /** Announced to screen readers, as is `agentWaits`. */
  agentWorks: (agent: string) => `${agent} is working`,
  agentWaits: (agent: string, changes: number) => `${agent} waits for your approval of ${someChanges(changes)}`,

  thisAnswer: 'This answer',
  copyAnswer: 'Copy the answer',
  copied: 'Copied',
  notCopied: 'It couldn’t be copied',
  plan: 'Plan',
  /** For screen readers, after a part of the plan. */
  planOpen: 'to do',
  planDoing: 'in progress',
  planDone: 'done',

  steps: 'Steps',
  stepCount: (count: number) => `${count} ${count === 1 ? 'step' : 'steps'}`,
  changeCount: (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`,
  /** For screen readers, after a step. */
  stepRunning: 'going on',
  stepDone: 'done',
  stepFailed: 'failed',
  stepWaiting: 'waiting for approval',
  stepRejected: 'rejected',
  stepTakenBack: 'taken back',
  notCarriedOut: 'It couldn’t be carried out.',
  hintForAgent: (hint: string) => `Hint for the agent: ${hint}`,
  moreChanges: (count: number) => `…and ${count} more`,
  whatItRead: 'What it read',
  /** Durations; the number is formatted for the locale, such as "0.4". */
  seconds: (count: string) => `${count} s`,
  minutes: (count: string) => `${count} min`,
  took: (duration: string) => `Took ${duration}`,

  waitingForApproval: 'Waiting for approval:',
  asksFirst: (agent: string) => `${agent} asks before it goes out`,
  wantsChanges: (agent: string, changes: number) => `${agent} wants to make ${someChanges(changes)}`,
  proposedChanges: 'Proposed changes',
  proposedChange: 'Proposed change',
  thisChange: 'This change',
  decide: 'Decide',
  approve: 'Approve',
  approveEdited: 'Approve this text',
  approveAll: 'Approve all',
  edit: 'Edit',
  doneEditing: 'Done editing',
  useOriginal: 'Use the original',
  editedText: 'Text that the agent may write',
  emptyText: 'Write a text first, or reject the change.',
  reject: 'Reject',
  rejectAll: 'Reject all',
  rejectionReason: 'Reason, if you want to tell the agent',
  cancel: 'Cancel',
  keptAfterDecision: 'This was decided while you were editing. Your text is still here:',
  keptAfterEnd: 'The agent stopped asking while you were editing. Your text is still here:',
  copy: 'Copy',
  discard: 'Discard',
} as const

export type PanelTexts = {
  readonly [Name in keyof typeof englishTexts]: (typeof englishTexts)[Name] extends string
    ? string
    : (typeof englishTexts)[Name]
}

function someChanges(count: number): string {
  return count === 1 ? 'a change' : `${count} changes`
}
