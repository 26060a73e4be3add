export { createFixtureServer, readFixture } from './fixture-server.ts'
export type { FixtureServer, Recorded, SeenRequest } from './fixture-server.ts'
export { createMemorySink } from './memory-sink.ts'
export type { SinkEntry } from './memory-sink.ts'
export { createMemoryToolbox, defineMemoryTool } from './memory-toolbox.ts'
export type { MemoryToolbox } from './memory-toolbox.ts'
export { createModelServer } from './model-server.ts'
export type {
  ModelScript,
  ModelServer,
  ModelServerAnswer,
  ModelServerChunk,
  ModelServerRequest,
  ParsedMessage,
  ParsedRequest,
  WireFinish,
  WireName,
} from './model-server.ts'
export { createScriptedProvider } from './scripted-provider.ts'
export type { ScriptedReply } from './scripted-provider.ts'
