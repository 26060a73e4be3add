import type { HostileInput } from '../hostile-input.ts'
import { attributes } from './attributes.ts'
import { awareness } from './awareness.ts'
import { clientIds } from './client-ids.ts'
import { deletes } from './deletes.ts'
import { depth } from './depth.ts'
import { events } from './events.ts'
import { formats } from './formats.ts'
import { gaps } from './gaps.ts'
import { images } from './images.ts'
import { legitimate } from './legitimate.ts'
import { lengths } from './lengths.ts'
import { maps } from './maps.ts'
import { markdown } from './markdown.ts'
import { mentionInputs } from './mentions.ts'
import { refused } from './refused.ts'
import { reviewMarks } from './review-marks.ts'
import { roots } from './roots.ts'
import { siblings } from './siblings.ts'
import { stateVectors } from './state-vectors.ts'
import { syncRequests } from './sync-requests.ts'
import { trailing } from './trailing.ts'
import { width } from './width.ts'

/** The whole table, by what is driven to the limit. */
export const dimensions: Readonly<Record<string, readonly HostileInput[]>> = {
  legitimate,
  roots,
  maps,
  'client ids': clientIds,
  'state vectors': stateVectors,
  attributes,
  siblings,
  formats,
  deletes,
  lengths,
  depth,
  width,
  gaps,
  trailing,
  'sync requests': syncRequests,
  refused,
  'review marks': reviewMarks,
  mentions: mentionInputs,
  images,
  markdown,
  events,
  awareness,
}
