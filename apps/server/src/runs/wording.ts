/** What the agent is doing, in the words that people see while a tool runs. */
const activities: Record<string, string> = {
  read_document: 'Reading…',
  search_document: 'Searching…',
  get_document_info: 'Looking at the document…',
  edit_document: 'Editing…',
  insert_text: 'Writing…',
}

/** What people should know when the model turns out to take no tools. */
export const toolsRefusedNotice = "This model can't use tools: it answers, but it can't read or change the document."

/** A few words for people about what a tool call does while it runs. */
export function activityOf(tool: string): string {
  return activities[tool] ?? 'Working…'
}
