import { DOMSerializer, type Fragment, type Schema } from 'prosemirror-model'

const attribute = 'data-copied-from'

/**
 * A serializer that marks copied HTML with its document's sign, so that a paste can tell the document's own text from
 * other text.
 */
export function createOwnSerializer(schema: Schema, sign: string): DOMSerializer {
  class OwnSerializer extends DOMSerializer {
    override serializeFragment(...[content, options, target]: Parameters<DOMSerializer['serializeFragment']>) {
      const dom = super.serializeFragment(content, options, target)
      if (target === undefined) markFirst(dom, content)
      return dom
    }
  }
  const markFirst = (dom: DocumentFragment | HTMLElement, _content: Fragment) => {
    dom.firstElementChild?.setAttribute(attribute, sign)
  }
  return new OwnSerializer(DOMSerializer.nodesFromSchema(schema), DOMSerializer.marksFromSchema(schema))
}

/** Whether HTML was copied from the document with this sign. */
export function isOwnHtml(html: string, sign: string): boolean {
  return html.includes(`${attribute}="${sign}"`)
}

/** The sign of a document; it doesn't reveal the document's id. */
export function signOf(document: string): string {
  let hash = 0x811c9dc5
  for (const character of document) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(36)
}
