import { activityOn, defineTool } from '../tool/define-tool.ts'
import { changeFile, fileChangeInput } from './file-changes.ts'

/** Proposes the whole new text of a file of the project. A person sees the difference and decides, in every mode. */
export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Proposes a change of a file of the project. Read the file first. A person sees the difference, approves or rejects it.',
  input: fileChangeInput,
  changes: false,
  editorsOnly: true,
  needs: 'project-writing',
  activity: ({ path }) => activityOn('Changing', path),
  handler: (input, session, call) => changeFile({ ...input, isNew: false }, session, call),
})
