export type {
  AgentEvent,
  AgentOutcome,
  AgentRunOptions,
  AgentSink,
  AssistantMessage,
  CallDecision,
  HeldChange,
  JsonSchema,
  ModelEvent,
  ModelFailure,
  ModelProvider,
  ModelRequest,
  Toolbox,
  ToolCall,
  ToolDefinition,
  ToolOutcome,
  ToolResultMessage,
  TranscriptMessage,
  Usage,
  UserMessage,
} from './contract.ts'
export { fenceAsData, readFences } from './fence.ts'
export { runAgent } from './loop/run-agent.ts'
export { findStanding, type Standing } from './loop/transcript.ts'
export { continueInstruction } from './loop/loop-messages.ts'
export { createSystemPrompt } from './prompt.ts'
export type { MissingTool, OutlineHeading, PromptContext } from './prompt.ts'
export { builtinSetupHint } from './providers/builtin/builtin-messages.ts'
export { createProvider } from './providers/index.ts'
export type { ProviderSettings, ServiceSettings } from './providers/settings.ts'
