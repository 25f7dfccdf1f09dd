import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowserWords } from './browser-words.ts';

test('technical words of a browser are removed from messages of older screens', () => {
  const cases = {
    'Offers.mp4: the video cannot be played (PipelineStatus::DEMUXER_ERROR_NO_SUPPORTED_STREAMS: FFmpegDemuxer: no supported streams)':
      'Offers.mp4: the video cannot be played',
    'the sound cannot be played (code 4)': 'the sound cannot be played',
    'Menu: net::ERR_CONNECTION_RESET': 'Menu: the browser of this screen cannot show this content',
    'Failed to fetch': 'the browser of this screen cannot show this content',
  };
  for (const [said, told] of Object.entries(cases)) assert.equal(withoutBrowserWords(said), told);
});

test('sentence without technical words of a browser is unchanged', () => {
  for (const said of [
    'Offers (1).mp4: the image cannot be read',
    'Menu (http://10.0.0.5/menu): the address answers with the error 404',
  ])
    assert.equal(withoutBrowserWords(said), said);
});
