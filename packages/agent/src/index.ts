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
export { findNextStep, type NextStep } from './loop/transcript.ts'
export { changedArgumentsNote, continueInstruction, isClosingInstruction } from './loop/loop-messages.ts'
export { parseRetryAfter } from './providers/exchange.ts'
export { createProvider, type ProviderChoice, services, ServiceVariables } from './providers/index.ts'
export { listModels, type ModelListing } from './providers/list-models.ts'
export type { ModelSettings, ProviderSettings, Service, ServiceSettings } from './providers/service.ts'
export { createCallIds } from './providers/stream-answer.ts'
