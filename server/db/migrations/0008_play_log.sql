-- Plays of now on are kept in numbers. Those that are there move to `play_log` while the server runs
-- (features/reports/plays-conversion.ts).
ALTER TABLE `plays` RENAME TO `old_plays`;--> statement-breakpoint
CREATE TABLE `play_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`device` integer NOT NULL,
	`shown` integer NOT NULL,
	`turn` integer NOT NULL,
	`boot` integer,
	`seq` integer NOT NULL,
	`started_ms` integer NOT NULL,
	`lasted_ms` integer NOT NULL,
	`completed` integer NOT NULL,
	`uncertainty` blob,
	`play_id` blob NOT NULL,
	`claimed` text
);
--> statement-breakpoint
CREATE INDEX `play_log_time` ON `play_log` (`workspace`,`started_ms`);--> statement-breakpoint
CREATE INDEX `play_log_device` ON `play_log` (`device`,`started_ms`);--> statement-breakpoint
CREATE INDEX `play_log_content` ON `play_log` (`shown`,`started_ms`);--> statement-breakpoint
CREATE INDEX `play_log_claimed` ON `play_log` (`play_id`) WHERE `claimed` IS NOT NULL;--> statement-breakpoint
CREATE TABLE `play_turns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device` integer NOT NULL,
	`shown` integer NOT NULL,
	`device_name` text NOT NULL,
	`content_id` text,
	`widget_id` text,
	`content_name` text NOT NULL,
	`zone_id` text,
	`playlist_id` text,
	`item_id` integer
);
--> statement-breakpoint
CREATE INDEX `play_turns_of` ON `play_turns` (`device`,`shown`);--> statement-breakpoint
CREATE TABLE `play_boots` (
	`id` integer PRIMARY KEY NOT NULL,
	`boot_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `play_boots_boot_id_unique` ON `play_boots` (`boot_id`);--> statement-breakpoint
-- Every play in words, wherever it is kept.
CREATE VIEW `plays` AS
  SELECT p.`id`, CASE typeof(p.`play_id`) WHEN 'blob' THEN lower(substr(hex(p.`play_id`), 1, 8) || '-' || substr(hex(p.`play_id`), 9, 4) || '-' || substr(hex(p.`play_id`), 13, 4) || '-' || substr(hex(p.`play_id`), 17, 4) || '-' || substr(hex(p.`play_id`), 21)) ELSE p.`play_id` END AS `play_id`,
    w.`workspace_id`, d.`ref` AS `device_id`, t.`device_name`, t.`content_id`, t.`widget_id`, t.`content_name`, t.`zone_id`, t.`playlist_id`, t.`item_id`,
    p.`started_ms`, p.`started_ms` + p.`lasted_ms` AS `ended_ms`, p.`completed`, p.`seq`, b.`boot_id`,
    CASE typeof(p.`uncertainty`) WHEN 'integer' THEN p.`uncertainty` / 10.0 ELSE p.`uncertainty` END AS `uncertainty_ms`, p.`claimed`
  FROM `play_log` p
  LEFT JOIN `play_turns` t ON t.`id` = p.`turn`
  LEFT JOIN `play_subjects` w ON w.`id` = p.`workspace`
  LEFT JOIN `play_subjects` d ON d.`id` = p.`device`
  LEFT JOIN `play_boots` b ON b.`id` = p.`boot`
  UNION ALL SELECT `id`, `play_id`, `workspace_id`, `device_id`, `device_name`, `content_id`, `widget_id`, `content_name`, `zone_id`, `playlist_id`, `item_id`,
    `started_ms`, `ended_ms`, `completed`, `seq`, `boot_id`, `uncertainty_ms`, `claimed` FROM `old_plays`;