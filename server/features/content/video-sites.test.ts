import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVideoAddress } from './video-sites.ts';

const ID = 'dQw4w9WgXcQ';

test('common YouTube addresses become the address of YouTube’s player', () => {
  const embed = `https://www.youtube.com/embed/${ID}`;
  for (const address of [
    `https://www.youtube.com/watch?v=${ID}`,
    `http://youtube.com/watch?v=${ID}`,
    `https://m.youtube.com/watch?app=desktop&v=${ID}&list=PL1`,
    `https://music.youtube.com/watch?v=${ID}`,
    `https://youtu.be/${ID}`,
    `https://youtu.be/${ID}?si=abc`,
    `https://www.youtube.com/shorts/${ID}`,
    `https://www.youtube.com/live/${ID}?feature=share`,
    `https://www.youtube.com/embed/${ID}`,
    `https://www.youtube-nocookie.com/embed/${ID}?rel=0`,
    `https://www.youtube.com/v/${ID}`,
    `youtube.com/watch?v=${ID}`,
    `//youtu.be/${ID}`,
    `HTTPS://WWW.YOUTUBE.COM/watch?v=${ID}`,
  ])
    assert.equal(readVideoAddress(address).embedUrl, embed, address);
});

test('the start time in a YouTube address is kept', () => {
  for (const t of ['90', '90s', '1m30s'])
    assert.equal(
      readVideoAddress(`https://youtu.be/${ID}?t=${t}`).embedUrl,
      `https://www.youtube.com/embed/${ID}?start=90`,
    );
  assert.equal(
    readVideoAddress(`https://youtu.be/${ID}?t=1h2m3s`).embedUrl,
    `https://www.youtube.com/embed/${ID}?start=3723`,
  );
  assert.equal(readVideoAddress(`https://youtu.be/${ID}?t=abc`).embedUrl, `https://www.youtube.com/embed/${ID}`);
});

test('Vimeo addresses become the address of Vimeo’s player, with the key of unlisted videos', () => {
  for (const address of [
    'https://vimeo.com/76979871',
    'https://player.vimeo.com/video/76979871',
    'https://vimeo.com/channels/staffpicks/76979871',
    'https://vimeo.com/groups/shortfilms/videos/76979871',
  ]) {
    assert.equal(readVideoAddress(address).embedUrl, 'https://player.vimeo.com/video/76979871', address);
  }
  for (const address of [
    'https://vimeo.com/76979871/abcdef1234',
    'https://player.vimeo.com/video/76979871?h=abcdef1234',
  ]) {
    assert.equal(readVideoAddress(address).embedUrl, 'https://player.vimeo.com/video/76979871?h=abcdef1234', address);
  }
});

test('Dailymotion addresses become the address of Dailymotion’s player', () => {
  for (const address of [
    'https://www.dailymotion.com/video/x7tgad0',
    'https://dai.ly/x7tgad0',
    'https://www.dailymotion.com/embed/video/x7tgad0',
    'https://www.dailymotion.com/video/x7tgad0_a-title',
    'https://geo.dailymotion.com/player.html?video=x7tgad0',
  ]) {
    assert.equal(readVideoAddress(address).embedUrl, 'https://www.dailymotion.com/embed/video/x7tgad0', address);
  }
});

test('video addresses of other sites and malformed addresses are refused', () => {
  for (const address of [
    'https://example.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/watch?v=short',
    'https://www.youtube.com/@channel',
    'https://youtu.be/',
    `https://youtube.com.evil.test/watch?v=${ID}`,
    `https://evil.test/youtube.com/watch?v=${ID}`,
    `https://user:pw@youtube.com/watch?v=${ID}`,
    `https://youtube.com:8080/watch?v=${ID}`,
    `javascript:alert("youtube.com/watch?v=${ID}")`,
    `ftp://youtube.com/watch?v=${ID}`,
    'https://vimeo.com/about',
    `https://www.youtube.com/watch?v=${ID}"><script>`,
    'not an address',
    '',
  ])
    assert.throws(() => readVideoAddress(address), { status: 400 }, address);
});
