import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { changeFile, fileChangeInput } from './file-changes.ts'

/** Proposes the whole new text of a project file. A person reviews the difference and decides, in every mode. */
export const editFile = defineTool({
  name: 'edit_file',
  description: 'Proposes a whole new text for a file of the project that you have read; a person decides.',
  input: fileChangeInput,
  changes: false,
  isNoticed: true,
  editorsOnly: true,
  needs: 'project-writing',
  activity: ({ path }) => activityOn('Changing', path),
  handler: (input, session, call) => changeFile({ ...input, isNew: false }, session, call),
})
