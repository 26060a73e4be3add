import { AGENT_MENTION } from '@copydesk/schema'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { findSentMentions } from './sent-mentions.ts'

test('[RUN-20] one update starts twenty runs at most', () => {
  const fragment = new Y.Doc().getXmlFragment('content')
  const mentions = Array.from({ length: 30 }, (_, index) => {
    const mention = new Y.XmlElement('mention')
    const attributes = { id: AGENT_MENTION, kind: 'agent', state: 'sent', requestId: `request-${index}` }
    for (const [name, value] of Object.entries(attributes)) mention.setAttribute(name, value)
    return mention
  })
  fragment.insert(0, mentions)
  expect(findSentMentions(mentions)).toHaveLength(20)
})
