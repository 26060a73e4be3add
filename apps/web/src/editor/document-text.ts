import { schema } from '@copydesk/schema'
import { getText, getTextSerializersFromSchema } from '@tiptap/core'
import { yXmlFragmentToProseMirrorRootNode } from 'y-prosemirror'
import type * as Y from 'yjs'

/** The plain text of a document, blocks separated by an empty line; mentions and formulas as their source. */
export function readText(fragment: Y.XmlFragment): string {
  const doc = yXmlFragmentToProseMirrorRootNode(fragment, schema)
  return getText(doc, { blockSeparator: '\n\n', textSerializers: getTextSerializersFromSchema(schema) })
}
