import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProjectSymbols, SymbolType } from '@copydesk/tools'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProjectFiles, type ProjectFiles } from '../project-files.ts'

let root: string
let project: ProjectFiles

function write(path: string, ...lines: string[]): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), `${lines.join('\n')}\n`)
}

/** On a busy machine a look-up can end before the index is current. */
async function whenCurrent(lookUp: () => ReturnType<ProjectSymbols['findDefinition']>) {
  let found = await lookUp()
  while (found.ok && !found.index.isCurrent) found = await lookUp()
  return found
}

/** `path:line kind name-of-container` of each definition. */
async function define(symbol: string, type?: SymbolType): Promise<string[]> {
  const options = { most: 50, ...(type ? { type } : {}) }
  const found = await whenCurrent(() => project.symbols.findDefinition(symbol, options))
  if (!found.ok) return [found.code]
  return found.places.map(({ path, line, type: kind, within }) => [`${path}:${line}`, kind, within].join(' ').trim())
}

/** `path:line` of each import. */
async function importers(modulePath: string): Promise<string[]> {
  const found = await whenCurrent(() => project.symbols.findImporters(modulePath, { most: 50 }))
  return found.ok ? found.places.map(({ path, line }) => `${path}:${line}`) : [found.code]
}

function writeLanguages(): void {
  write('ts/shapes.ts', 'export abstract class Shape<T> {', '  size = 1', '  area(): number { return 2 }', '}')
  write('ts/index.ts', "export { Shape } from './shapes.js'", 'export const unit = 1, scale = () => 2')
  write('ts/types.ts', 'export type Area = number', 'export interface Sized { measure(): Area }', 'enum Tone { Red }')
  write('ts/app.tsx', 'import {', '  Shape,', "} from '.'", "const lazy = () => import('./types')", 'lazy(<b />)')
  write('ts/lib/main.js', "const shapes = require('../shapes')", 'function* walk() {}', 'exports.go = function () {}')
  write('packages/kit/package.json', '{ "name": "@acme/kit", "exports": { ".": { "import": "./dist/kit.js" } } }')
  write('packages/kit/src/kit.ts', 'export const kit = 1')
  write('ts/uses-kit.ts', "import { kit } from '@acme/kit'")
  write('py/pkg/__init__.py', 'VERSION = 1')
  write(
    'py/pkg/model.py',
    'from . import helper as tools',
    'class Model:',
    '    limit = 3',
    '    async def save(self):',
    '        pass',
  )
  write('py/pkg/helper.py', 'import pkg.model', 'def assist(): pass')
  write('py/main.py', 'from pkg.model import Model', 'from pkg import VERSION')
  write('go/go.mod', 'module example.com/shop')
  write(
    'go/cart/cart.go',
    'package cart',
    'type Cart struct { Total int }',
    'func (c *Cart) Add() {}',
    'const Most = 3',
  )
  write(
    'go/main.go',
    'package main',
    'import (',
    '  basket "example.com/shop/cart"',
    ')',
    'func main() { basket.New() }',
  )
  write('rust/core-lib/src/lib.rs', 'mod store;', 'pub use crate::store::{Store, disk::Disk as D};')
  write(
    'rust/core-lib/src/store/mod.rs',
    'pub struct Store { rows: u8 }',
    'impl Store { pub fn load() {} }',
    'mod disk;',
  )
  write(
    'rust/core-lib/src/store/disk.rs',
    'use super::Store;',
    'pub trait Disk { fn sync(&self); }',
    'static SIZE: u8 = 1;',
  )
  write('rust/app/src/main.rs', 'use core_lib::store::Store;', 'macro_rules! play { () => {} }')
  write('java/src/acme/Order.java', 'package acme;', 'public class Order {', '  int count;', '  void ship() {}', '}')
  write('java/test/acme/OrderTest.java', 'import acme.Order;', 'record Case(int a) {}')
  write('java/test/acme/All.java', 'import acme.*;', 'interface All { int run(); }')
  write('c/include/acme/list.h', '#define LIMIT 3', 'typedef struct { int x; } Item;', 'int list_add(int a);')
  write('c/list.c', '#include "acme/list.h"', '#include <stdio.h>', 'int list_add(int a) { return a; }')
  write('cpp/queue.hpp', 'namespace acme {', 'class Queue {', '  void push();', '};', '}')
  write('cpp/queue.cpp', '#include "queue.hpp"', 'void Queue::push() {}')
  write(
    'rb/lib/acme/mailer.rb',
    'module Acme',
    '  class Mailer',
    '    RETRIES = 3',
    '    def deliver; end',
    '  end',
    'end',
  )
  write('rb/bin.rb', "require_relative 'lib/acme/mailer'", "require 'acme/mailer'")
  write('rb/app.rb', "require 'acme/mailer'")
  write(
    'php/src/Invoice.php',
    '<?php',
    'namespace Acme\\Billing;',
    'class Invoice { const TAX = 1; function pay() {} }',
  )
  write('php/index.php', '<?php', 'use Acme\\Billing\\{Invoice, Other};', "require_once __DIR__ . '/src/Invoice.php';")
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'copydesk-symbols-'))
  writeLanguages()
  write('.gitignore', 'dist/')
  write('dist/shapes.ts', 'export class Shape {}', 'export class Built {}')
  write('.env.ts', 'export class Secret {}')
  project = createProjectFiles(root, [])
})

afterAll(async () => {
  await project.close()
  rmSync(root, { recursive: true, force: true })
})

describe('[SYMB-1] definitions by language, with their kinds and containers', () => {
  test.each([
    [
      'TypeScript',
      {
        Shape: 'ts/shapes.ts:1 class',
        'Shape.area': 'ts/shapes.ts:3 function Shape',
        size: 'ts/shapes.ts:2 variable Shape',
      },
    ],
    ['TypeScript', { unit: 'ts/index.ts:2 variable', scale: 'ts/index.ts:2 function', Area: 'ts/types.ts:1 class' }],
    [
      'TypeScript',
      { measure: 'ts/types.ts:2 function Sized', Red: 'ts/types.ts:3 variable Tone', lazy: 'ts/app.tsx:4 function' },
    ],
    ['JavaScript', { walk: 'ts/lib/main.js:2 function', go: 'ts/lib/main.js:3 function' }],
    [
      'Python',
      {
        Model: 'py/pkg/model.py:2 class',
        limit: 'py/pkg/model.py:3 variable Model',
        save: 'py/pkg/model.py:4 function Model',
      },
    ],
    [
      'Go',
      { Cart: 'go/cart/cart.go:2 class', Add: 'go/cart/cart.go:3 function Cart', Most: 'go/cart/cart.go:4 variable' },
    ],
    [
      'Rust',
      {
        Store: 'rust/core-lib/src/store/mod.rs:1 class',
        'Store::load': 'rust/core-lib/src/store/mod.rs:2 function Store',
      },
    ],
    [
      'Rust',
      { sync: 'rust/core-lib/src/store/disk.rs:2 function Disk', SIZE: 'rust/core-lib/src/store/disk.rs:3 variable' },
    ],
    [
      'Java',
      {
        Order: 'java/src/acme/Order.java:2 class',
        ship: 'java/src/acme/Order.java:4 function Order',
        count: 'java/src/acme/Order.java:3 variable Order',
      },
    ],
    ['C', { LIMIT: 'c/include/acme/list.h:1 variable', Item: 'c/include/acme/list.h:2 class' }],
    ['C++', { Queue: 'cpp/queue.hpp:2 class acme' }],
    [
      'Ruby',
      {
        Mailer: 'rb/lib/acme/mailer.rb:2 class Acme',
        'Mailer#deliver': 'rb/lib/acme/mailer.rb:4 function Mailer',
        RETRIES: 'rb/lib/acme/mailer.rb:3 variable Mailer',
      },
    ],
    [
      'PHP',
      {
        Invoice: 'php/src/Invoice.php:3 class',
        pay: 'php/src/Invoice.php:3 function Invoice',
        TAX: 'php/src/Invoice.php:3 variable Invoice',
      },
    ],
  ])('%s %#', async (_language, expected) => {
    const found = await Promise.all(
      Object.keys(expected).map(async (symbol) => [symbol, (await define(symbol)).join()]),
    )
    expect(Object.fromEntries(found)).toEqual(expected)
  })

  test('declarations and definitions, kinds that are asked for, other cases, imports', async () => {
    expect(await define('list_add')).toEqual(['c/include/acme/list.h:3 function', 'c/list.c:3 function'])
    expect(await define('Queue::push')).toEqual(['cpp/queue.cpp:2 function Queue', 'cpp/queue.hpp:3 function Queue'])
    expect(await define('Shape', 'function')).toEqual([])
    expect(await define('shape')).toEqual(['ts/shapes.ts:1 class'])
    expect(await define('Invoice', 'import')).toEqual(['php/index.php:2 import'])
    // No file of the project defines it.
    expect(await define('tools')).toEqual(['py/pkg/model.py:1 import'])
  })
})

test('[SYMB-2] importers by language, by the path of a file and by the name of a module', async () => {
  expect(await importers('ts/shapes.ts')).toEqual(['ts/index.ts:1', 'ts/lib/main.js:1'])
  expect(await importers('./ts/shapes.js')).toEqual(['ts/index.ts:1', 'ts/lib/main.js:1'])
  expect(await importers('ts/')).toEqual(['ts/app.tsx:1'])
  expect(await importers('ts/types')).toEqual(['ts/app.tsx:4'])
  for (const kit of ['packages/kit/src/kit.ts', 'packages/kit', '@acme/kit']) {
    expect(await importers(kit)).toEqual(['ts/uses-kit.ts:1'])
  }
  expect(await importers('py/pkg/model.py')).toEqual(['py/main.py:1', 'py/pkg/helper.py:1'])
  expect(await importers('py/pkg/helper.py')).toEqual(['py/pkg/model.py:1'])
  expect(await importers('py/pkg/__init__.py')).toEqual(['py/main.py:2'])
  for (const cart of ['go/cart', 'go/cart/cart.go', 'example.com/shop/cart']) {
    expect(await importers(cart)).toEqual(['go/main.go:3'])
  }
  const store = ['rust/app/src/main.rs:1', 'rust/core-lib/src/lib.rs:1', 'rust/core-lib/src/lib.rs:2']
  expect(await importers('rust/core-lib/src/store/mod.rs')).toEqual([...store, 'rust/core-lib/src/store/disk.rs:1'])
  expect(await importers('rust/core-lib/src/store/disk.rs')).toEqual([
    'rust/core-lib/src/lib.rs:2',
    'rust/core-lib/src/store/mod.rs:3',
  ])
  expect(await importers('java/src/acme/Order.java')).toEqual([
    'java/test/acme/All.java:1',
    'java/test/acme/OrderTest.java:1',
  ])
  expect(await importers('acme.Order')).toEqual(['java/test/acme/OrderTest.java:1'])
  expect(await importers('c/include/acme/list.h')).toEqual(['c/list.c:1'])
  expect(await importers('stdio.h')).toEqual(['c/list.c:2'])
  expect(await importers('cpp/queue.hpp')).toEqual(['cpp/queue.cpp:1'])
  expect(await importers('rb/lib/acme/mailer.rb')).toEqual(['rb/app.rb:1', 'rb/bin.rb:1', 'rb/bin.rb:2'])
  expect(await importers('php/src/Invoice.php')).toEqual(['php/index.php:2', 'php/index.php:3'])
  const shown = await project.symbols.findImporters('ts/index.ts', { most: 1 })
  expect(shown).toMatchObject({ total: 1, places: [{ text: "import { Shape, } from '.'" }] })
})

test('[SYMB-3] ignored and secret files are in no answer, and a path to one is denied', async () => {
  expect(await define('Built')).toEqual([])
  expect(await define('Secret')).toEqual([])
  for (const path of ['dist/shapes.ts', '.env.ts', '../shapes.ts', '/etc/passwd']) {
    expect(await importers(path)).toEqual(['denied'])
  }
})

test('[SYMB-4] the index follows files and folders that are written, renamed, removed and ignored', async () => {
  const defined = (symbol: string, places: string[]) =>
    until(async () => (await define(symbol)).join() === places.join(), `${symbol} is defined in ${places.join()}`)
  await define('Model')
  write('live/deep/new.ts', 'export class Fresh {}')
  await defined('Fresh', ['live/deep/new.ts:1 class'])
  write('live/deep/new.ts', '', 'export class Fresh {}', 'class Second {}')
  await defined('Second', ['live/deep/new.ts:3 class'])
  expect(await define('Fresh')).toEqual(['live/deep/new.ts:2 class'])
  renameSync(join(root, 'live/deep'), join(root, 'live/moved'))
  await defined('Fresh', ['live/moved/new.ts:2 class'])
  write('live/moved/new.ts', 'export class Third {}')
  await defined('Third', ['live/moved/new.ts:1 class'])
  expect(await define('Fresh')).toEqual([])
  write('live/user.ts', "import './moved/new'")
  await until(async () => (await importers('live/moved/new.ts')).join() === 'live/user.ts:1', 'the import is found')
  symlinkSync('new.ts', join(root, 'live/moved/link.ts'))
  write('live/moved/after.ts', 'class AfterLink {}')
  await defined('AfterLink', ['live/moved/after.ts:1 class'])
  expect(await define('Third')).toEqual(['live/moved/new.ts:1 class'])
  write('live/.gitignore', 'moved/')
  await defined('Third', [])
  rmSync(join(root, 'live/.gitignore'))
  await defined('Third', ['live/moved/new.ts:1 class'])
  rmSync(join(root, 'live'), { recursive: true })
  await defined('Third', [])
})
