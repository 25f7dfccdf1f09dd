import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fill } from '../../../../shared/design/fills.ts';
import { FILL_KINDS, fillAs } from './fill.utils.ts';

const FILLS: readonly Fill[] = [
  { kind: 'none' },
  { kind: 'color', color: 'accent' },
  { kind: 'color', color: 'second' },
  { kind: 'gradient', from: '#112233', to: 'accent', angle: 90 },
  { kind: 'pattern', pattern: 'waves', color: 'second', background: 'ink' },
  {
    kind: 'media',
    media: {
      ...{ content_id: 'a', fit: 'fit', focus: { x: 0, y: 1 }, overlay: 'primary', overlay_opacity: 1, zoom: true },
    },
  },
];

test('each fill becomes a valid fill of each other kind', () => {
  for (const fill of FILLS)
    for (const kind of FILL_KINDS) {
      const next = fillAs(fill, kind);
      assert.equal(next.kind, kind);
      assert.deepEqual(Fill.parse(next), next);
    }
});

test('fill keeps its main colour when it becomes another kind', () => {
  assert.deepEqual(fillAs({ kind: 'color', color: '#A1B2C3' }, 'gradient'), {
    ...{ kind: 'gradient', from: '#A1B2C3', to: 'accent', angle: 135 },
  });
  assert.deepEqual(fillAs(FILLS[4]!, 'color'), { kind: 'color', color: 'ink' });
  assert.deepEqual(fillAs(FILLS[5]!, 'color'), { kind: 'color', color: 'primary' });
});

test('new gradient and new pattern have two different colours', () => {
  for (const fill of FILLS) {
    const [gradient, pattern] = [fillAs(fill, 'gradient'), fillAs(fill, 'pattern')];
    assert.ok(gradient.kind === 'gradient' && gradient.from !== gradient.to);
    assert.ok(pattern.kind === 'pattern' && pattern.color !== pattern.background);
  }
});
