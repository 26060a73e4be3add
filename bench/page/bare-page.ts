import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { Editor } from '@tiptap/core'
import { Collaboration } from '@tiptap/extension-collaboration'
import { CollaborationCaret } from '@tiptap/extension-collaboration-caret'
import { Document } from '@tiptap/extension-document'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Text } from '@tiptap/extension-text'

// A page with only a shared editor: the baseline of the comparison.
const search = new URLSearchParams(location.search)
const websocketProvider = new HocuspocusProviderWebsocket({ url: search.get('url') ?? '' })
const provider = new HocuspocusProvider({ websocketProvider, name: search.get('document') ?? '', token: 'x' })

provider.on('synced', () => {
  const element = document.createElement('div')
  document.body.append(element)
  const editor = new Editor({
    element,
    extensions: [
      Document,
      Paragraph,
      Text,
      Collaboration.configure({ document: provider.document, field: 'default' }),
      CollaborationCaret.configure({ provider, user: { name: 'Bench', color: '#2f5d50' } }),
    ],
  })
  editor.view.dom.setAttribute('aria-label', 'Document')
})
provider.attach()
