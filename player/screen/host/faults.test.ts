import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Faults, mediaMessage, messageOf } from './faults.ts';

test('failure of an item is reported once, and the item is retried after 10, 20, 40 … at most 300 s', () => {
  const faults = new Faults();
  const waits: number[] = [];
  let now = 0;
  for (let attempt = 0; attempt < 8; attempt++) {
    assert.equal(faults.failed('clip', now), attempt === 0);
    waits.push(faults.nextRetry - now);
    assert.equal(faults.usable('clip', faults.nextRetry - 1), false);
    now = faults.nextRetry;
    assert.equal(faults.usable('clip', now), true);
  }
  assert.deepEqual(waits, [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
});

test('item that fails again after it had worked is reported again', () => {
  const faults = new Faults();
  faults.failed('clip', 0);
  faults.worked('clip');
  assert.equal(faults.usable('clip', 1), true);
  assert.equal(faults.failed('clip', 2), true);
});

test('failures of items that a new program does not contain are forgotten', () => {
  const faults = new Faults();
  faults.failed('old', 0);
  faults.failed('shared', 0);
  faults.retain(new Set(['shared']));
  assert.equal(faults.usable('old', 1), true);
  assert.equal(faults.usable('shared', 1), false);
});

test('messageOf replaces an error of the browser by a sentence, and returns our own sentences unchanged', () => {
  const foreign = 'the browser of this screen cannot show this content';
  assert.equal(messageOf(new Error('the image cannot be read')), 'the image cannot be read');
  assert.equal(messageOf(new TypeError('Failed to fetch')), foreign);
  assert.equal(messageOf(new DOMException('The element has no supported sources.', 'NotSupportedError')), foreign);
  assert.equal(messageOf('PipelineStatus::DECODER_ERROR_NOT_SUPPORTED'), foreign);
});

test('message about a clip depends on the error code, and contains no text of the browser', () => {
  const error = (code: number) => ({ code, message: 'PipelineStatus::DEMUXER_ERROR_COULD_NOT_OPEN' }) as MediaError;
  assert.equal(mediaMessage('video', error(3)), 'the video is damaged: this screen cannot decode it');
  assert.match(mediaMessage('sound', error(4)), /^this screen cannot play the format of the audio/);
  assert.equal(mediaMessage('video', null), 'the video cannot be played');
});
