CREATE TABLE `device_tags` (
	`device_id` text NOT NULL,
	`tag` text NOT NULL,
	PRIMARY KEY(`device_id`, `tag`),
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `device_tags_tag` ON `device_tags` (`tag`,`device_id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`message` text NOT NULL,
	`targets` text NOT NULL,
	`user_id` text,
	`user_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`until_ms` integer,
	`withdrawn_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `messages_workspace` ON `messages` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `plan_targets` (
	`plan_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	PRIMARY KEY(`plan_id`, `kind`, `ref`),
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plan_targets_ref` ON `plan_targets` (`kind`,`ref`);--> statement-breakpoint
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`zone_id` text,
	`content_id` text,
	`widget_id` text,
	`layout_id` text,
	`playlist_id` text,
	`title` text DEFAULT '' NOT NULL,
	`start_time` text NOT NULL,
	`end_time` text NOT NULL,
	`timezone` text NOT NULL,
	`recurrence` text,
	`recurrence_end` text,
	`color` text,
	`priority` integer DEFAULT 0 NOT NULL,
	`enabled` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`content_id`) REFERENCES `content`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`widget_id`) REFERENCES `widgets`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`layout_id`) REFERENCES `layouts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `plans_workspace` ON `plans` (`workspace_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `plans_content` ON `plans` (`content_id`);--> statement-breakpoint
CREATE INDEX `plans_playlist` ON `plans` (`playlist_id`);--> statement-breakpoint
CREATE TABLE `views` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `views_owner` ON `views` (`workspace_id`,`user_id`);--> statement-breakpoint
ALTER TABLE `content` ADD `valid_from` text;--> statement-breakpoint
ALTER TABLE `content` ADD `valid_until` text;--> statement-breakpoint
ALTER TABLE `groups` ADD `default_content_id` text REFERENCES content(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `groups` ADD `rule_tags` text;--> statement-breakpoint
ALTER TABLE `play_boots` ADD `used_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `play_turns` ADD `used_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `playlist_items` ADD `valid_from` text;--> statement-breakpoint
ALTER TABLE `playlist_items` ADD `valid_until` text;--> statement-breakpoint
ALTER TABLE `playlist_items` ADD `transition` text;--> statement-breakpoint
ALTER TABLE `playlists` ADD `transition` text;--> statement-breakpoint
ALTER TABLE `playlists` ADD `published_transition` text;--> statement-breakpoint
ALTER TABLE `published_items` ADD `valid_from` text;--> statement-breakpoint
ALTER TABLE `published_items` ADD `valid_until` text;--> statement-breakpoint
ALTER TABLE `published_items` ADD `transition` text;--> statement-breakpoint
ALTER TABLE `schedules` ADD `plan_id` text REFERENCES plans(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `schedules_plan` ON `schedules` (`plan_id`);--> statement-breakpoint
ALTER TABLE `widgets` ADD `valid_from` text;--> statement-breakpoint
ALTER TABLE `widgets` ADD `valid_until` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `default_content_id` text REFERENCES content(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `zones` ADD `content_id` text REFERENCES content(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `zones` ADD `widget_id` text REFERENCES widgets(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `zones` ADD `playlist_id` text REFERENCES playlists(id) ON DELETE set null;--> statement-breakpoint
INSERT INTO `plans` (`id`, `workspace_id`, `zone_id`, `content_id`, `widget_id`, `layout_id`, `playlist_id`, `title`, `start_time`, `end_time`, `timezone`, `recurrence`, `recurrence_end`, `color`, `priority`, `enabled`, `created_at`, `updated_at`)
SELECT `id`, `workspace_id`, `zone_id`, `content_id`, `widget_id`, `layout_id`, `playlist_id`, `title`, `start_time`, `end_time`, `timezone`, `recurrence`, `recurrence_end`, `color`, `priority`, `enabled`, `created_at`, `updated_at` FROM `schedules`;--> statement-breakpoint
INSERT INTO `plan_targets` (`plan_id`, `position`, `kind`, `ref`)
SELECT `id`, 0, CASE WHEN `device_id` IS NOT NULL THEN 'device' ELSE 'group' END, coalesce(`device_id`, `group_id`) FROM `schedules`;--> statement-breakpoint
UPDATE `schedules` SET `plan_id` = `id`;--> statement-breakpoint
UPDATE `play_turns` SET `used_day` = unixepoch() / 86400;--> statement-breakpoint
UPDATE `play_boots` SET `used_day` = unixepoch() / 86400;
