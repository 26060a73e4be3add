import { schema } from '@copydesk/schema'
import { getText, getTextSerializersFromSchema } from '@tiptap/core'
import { yXmlFragmentToProseMirrorRootNode } from 'y-prosemirror'
import type * as Y from 'yjs'

/** The text of a document without formatting, an empty line between blocks; mentions and formulas as they are written. */
export function readText(fragment: Y.XmlFragment): string {
  const doc = yXmlFragmentToProseMirrorRootNode(fragment, schema)
  return getText(doc, { blockSeparator: '\n\n', textSerializers: getTextSerializersFromSchema(schema) })
}
