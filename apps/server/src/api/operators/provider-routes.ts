import {
  ChosenModel,
  CreateProvider,
  LocalServers,
  ModelTest,
  OfferedModels,
  PatchProvider,
  Provider,
  ProviderList,
  PutModel,
  RemovedModel,
} from '@copydesk/protocol'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findLocalServers } from '../../models/local-servers.ts'
import { requireAgentOperator } from '../requests/account-context.ts'
import { type ApiDeps, failures } from '../requests/context.ts'

function describe(summary: string) {
  return { summary: `${summary} (operator)`, tags: ['Operators'] }
}

const params = z.object({ provider: z.string() })

/** Models by configuration, for operators: providers with their keys and models, and which model is the default. */
export function providerRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(setUpRoutes(deps))
    await app.register(modelRoutes(deps))
    await app.register(askingRoutes(deps))
  }
}

function setUpRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = { schema: { ...describe('All providers of models'), response: { 200: ProviderList, ...failures } } }
    app.get('/providers', list, async (request) => {
      await requireAgentOperator(request, deps)
      return deps.providers.list()
    })

    const create = {
      schema: { ...describe('Add a provider'), body: CreateProvider, response: { 201: Provider, ...failures } },
    }
    app.post('/providers', create, async (request, reply) => {
      const { user } = await requireAgentOperator(request, deps)
      return reply.status(201).send(await deps.providers.create(request.body, user.id))
    })

    const patch = {
      schema: {
        ...describe('Change a provider, or replace its key'),
        params,
        body: PatchProvider,
        response: { 200: Provider, ...failures },
      },
    }
    app.patch('/providers/:provider', patch, async (request) => {
      await requireAgentOperator(request, deps)
      return deps.providers.change(request.params.provider, request.body)
    })

    const remove = {
      schema: { ...describe('Delete a provider and its key'), params, response: { 204: z.null(), ...failures } },
    }
    app.delete('/providers/:provider', remove, async (request, reply) => {
      await requireAgentOperator(request, deps)
      await deps.providers.delete(request.params.provider)
      return reply.status(204).send(null)
    })
  }
}

function modelRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const put = {
      schema: {
        ...describe('Add a model to a provider, or change it'),
        params,
        body: PutModel,
        response: { 200: Provider, ...failures },
      },
    }
    app.put('/providers/:provider/models', put, async (request) => {
      await requireAgentOperator(request, deps)
      const { provider } = request.params
      await deps.providers.putModel(provider, request.body)
      return deps.providers.find(provider)
    })

    const remove = {
      schema: {
        ...describe('Remove a model from a provider'),
        params,
        querystring: RemovedModel,
        response: { 200: Provider, ...failures },
      },
    }
    app.delete('/providers/:provider/models', remove, async (request) => {
      await requireAgentOperator(request, deps)
      const { provider } = request.params
      await deps.providers.removeModel(provider, request.query.model)
      return deps.providers.find(provider)
    })

    const choose = {
      schema: {
        ...describe('Set the model of runs without one of their own'),
        body: ChosenModel,
        response: { 200: ProviderList, ...failures },
      },
    }
    app.put('/providers/default', choose, async (request) => {
      await requireAgentOperator(request, deps)
      await deps.providers.setDefault(request.body.model)
      return deps.providers.list()
    })
  }
}

function askingRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const offered = {
      schema: {
        ...describe('The models that a provider offers'),
        params,
        response: { 200: OfferedModels, ...failures },
      },
    }
    app.get('/providers/:provider/models', offered, async (request, reply) => {
      await requireAgentOperator(request, deps)
      return deps.providers.offered(request.params.provider, untilClosed(reply))
    })

    const test = {
      schema: {
        ...describe('Send one small request with a tool to a model'),
        body: ChosenModel,
        response: { 200: ModelTest, ...failures },
      },
    }
    app.post('/providers/test', test, async (request, reply) => {
      await requireAgentOperator(request, deps)
      return deps.providers.test(request.body.model, untilClosed(reply))
    })

    const local = {
      schema: {
        ...describe('Model servers on this machine that no provider uses'),
        response: { 200: LocalServers, ...failures },
      },
    }
    app.get('/providers/local', local, async (request) => {
      await requireAgentOperator(request, deps)
      const { providers } = await deps.providers.list()
      const used = new Set(providers.map(({ baseUrl }) => baseUrl))
      return { servers: await findLocalServers(deps.localServers.filter(({ baseUrl }) => !used.has(baseUrl))) }
    })
  }
}

/** Aborted when the client closes the connection: nobody waits for the answer. */
function untilClosed(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  return closed.signal
}
