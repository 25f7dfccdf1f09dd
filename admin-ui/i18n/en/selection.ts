export const selection = {
  choose: 'Choose {{name}}',
  count_one: '{{count}} chosen',
  count_other: '{{count}} chosen',
  all: 'Choose all',
  clear: 'Choose nothing',
};
