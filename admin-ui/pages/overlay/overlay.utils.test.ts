import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrived, blank, bodyOf, hasAddress, imagePage, placeOn, uprightSize } from './overlay.utils.ts';

const hd = { width: 1920, height: 1080 };

test('overlay keeps 32 px from the edges of a screen of 1080 lines and is never larger than the screen', () => {
  assert.deepEqual(placeOn(hd, { width: 480, height: 360, position: 'top-right' }), {
    left: 1408,
    top: 32,
    width: 480,
    height: 360,
  });
  assert.deepEqual(placeOn(hd, { width: 480, height: 360, position: 'bottom-left' }), {
    left: 32,
    top: 688,
    width: 480,
    height: 360,
  });
  assert.deepEqual(placeOn(hd, { width: 3000, height: 1060, position: 'center' }), {
    left: 0,
    top: 10,
    width: 1920,
    height: 1060,
  });
});

test('picture of a panel rotated by a quarter is upright, and without a reported size it is Full HD', () => {
  assert.deepEqual(uprightSize({ screen_width: 1920, screen_height: 1080, orientation: '90' }), {
    width: 1080,
    height: 1920,
  });
  assert.deepEqual(uprightSize({ screen_width: 0, screen_height: 0, orientation: '0' }), hd);
  assert.deepEqual(uprightSize(undefined), hd);
});

test('empty title is sent without a colour, and an incomplete colour is not sent', () => {
  const body = bodyOf({ ...blank, uri: 'http://a/b.png', title: ' ', background_color: '#12' }, 'd');
  assert.deepEqual(
    [body.device_id, 'title' in body, 'title_color' in body, 'background_color' in body],
    ['d', false, false, false],
  );
  assert.equal(bodyOf({ ...blank, title: ' Till 2 opens ' }, 'd').title, 'Till 2 opens');
});

test('results of single devices replace the result of their group', () => {
  const before = [
    { id: 'a', name: 'A', status: 'shown' as const },
    { id: 'g', name: 'Windows', status: 'waiting' as const },
  ];
  const results = [
    { device_id: 'a', name: 'A', status: 'sent' as const },
    { device_id: 'b', name: 'B', status: 'offline' as const },
  ];
  assert.deepEqual(
    arrived(before, 'g', results, 'p').map(({ id, status }) => [id, status]),
    [
      ['a', 'sent'],
      ['b', 'offline'],
    ],
  );
});

test('address needs a scheme and a host, and is escaped in the preview', () => {
  assert.equal(hasAddress('http://till.local/a.png'), true);
  assert.equal(hasAddress('till.local/a.png'), false);
  assert.equal(hasAddress('javascript:alert(1)'), false);
  assert.ok(!imagePage('http://a/"onerror="x').includes('"onerror'));
});
