export {
  authFrame,
  type AwarenessClaim,
  awarenessFrame,
  concat,
  frame,
  frameTypes,
  readBytes,
  readServerFrame,
  readText,
  type ServerFrame,
  syncFrame,
  type SyncType,
  varBytes,
  varString,
  varUint,
} from './frames.ts'
export {
  type RandomBelow,
  randomBytes,
  type RandomChoices,
  seededBelow,
  seededChoices,
  seededRandom,
} from './random.ts'
export {
  type Closed,
  connectRaw,
  openRaw,
  openRawDocument,
  type RawClient,
  type RawDocument,
  type Received,
} from './raw-client.ts'
export { until } from './until.ts'
export { type Listening, listenLocally } from './listen.ts'
