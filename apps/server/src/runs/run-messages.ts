/** What the agent is doing while a tool runs, as shown to users. */
const activities: Record<string, string> = {
  read_document: 'Reading…',
  get_document: 'Reading…',
  search_document: 'Searching…',
  get_document_info: 'Looking at the document…',
  read_selection: 'Looking at the selection…',
  read_comments: 'Reading the comments…',
  read_changes: 'Reading the suggested changes…',
  edit_document: 'Editing…',
  replace_text: 'Replacing…',
  insert_text: 'Writing…',
  apply_formatting: 'Formatting…',
  update_section: 'Working on a section…',
  insert_image: 'Putting in an image…',
  add_comment: 'Commenting…',
  reply_to_comment: 'Replying…',
  resolve_comment: 'Resolving a comment…',
  suggest_replacement: 'Suggesting…',
  suggest_insertion: 'Suggesting…',
  suggest_deletion: 'Suggesting…',
  highlight_text: 'Highlighting…',
  scroll_to: 'Showing the place…',
}

/** The notice for a model that turns out not to support tools. */
export const toolsRefusedNotice = "This model can't use tools: it answers, but it can't read or change the document."

/** The agent's question if a mention's sender wrote nothing next to it. */
export const whatToDo = 'What would you like me to do? Tell me in a reply here.'

/** Why the agent asks although there is text next to the mention. */
export const othersWords = 'The text beside this mention is not yours, so I have not taken it as your request.'

/** A short label for users of what a tool call does, shown while it runs. */
export function activityOf(tool: string): string {
  return activities[tool] ?? 'Working…'
}
