import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { changeFile, fileChangeInput } from './file-changes.ts'

/** Proposes a new file in the project. A person reviews the proposal and decides, in every mode. */
export const createFile = defineTool({
  name: 'create_file',
  description: 'Proposes a new file in the project, with its folders; a person decides.',
  input: fileChangeInput,
  changes: false,
  isNoticed: true,
  editorsOnly: true,
  needs: 'project-writing',
  activity: ({ path }) => activityOn('Creating', path),
  handler: (input, session, call) => changeFile({ ...input, isNew: true }, session, call),
})
