import { Transform } from 'prosemirror-transform'
import { z } from 'zod'
import { activityOn, defineTool } from '../tool/define-tool.ts'
import { setKey } from '../edit/frontmatter-key.ts'
import { failure, shorten, type ToolFailure } from '../common/result.ts'
import type { ChangePlan } from '../session/commit/commit.ts'
import type { DocumentView } from '../document/document-view.ts'
import { evident } from '../tool/fields.ts'

const input = z.object({
  key: evident(z.string().min(1).max(200), 'At the top level; may be new.'),
  value: evident(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]), 'Without YAML quotes.'),
})

type Input = z.infer<typeof input>

/** Sets one key of the frontmatter; comments, order and notation of the others stay. */
export const editFrontmatter = defineTool({
  name: 'edit_frontmatter',
  description: 'Sets a key of the YAML frontmatter, only when asked to.',
  input,
  changes: true,
  editorsOnly: true,
  activity: ({ key }) => activityOn('Setting', key),
  handler(given, session, call) {
    const limit = session.limits.insertCharacters
    if (JSON.stringify(given.value).length > limit) {
      const most = limit.toLocaleString('en')
      return failure('too_large', `value is longer than ${most} characters.`, 'Give a shorter value.')
    }
    return session.commit(call, (view) => plan(given, view))
  },
})

function plan({ key, value }: Input, view: DocumentView): ChangePlan | ToolFailure {
  const yaml = view.frontmatter ?? ''
  const change = setKey(yaml, key, value)
  if (!change.ok) return change
  const transform = new Transform(view.doc)
  if (change.yaml === yaml) {
    const message = `Nothing to change: the frontmatter has this ${key} already.`
    return { ok: true, transform, message, summary: 'Nothing to change', changes: [] }
  }
  return {
    ok: true,
    transform,
    frontmatter: change.yaml,
    message: `Changed the frontmatter: ${shorten(change.after, 500)}`,
    summary: `${shorten(change.after, 60)} in the frontmatter`,
    changes: [{ before: change.before, after: change.after }],
  }
}
